#include "report/comment_text.h"

#include "base/text.h"

namespace gh::report {

std::string comment_text(std::string_view text, std::size_t max) {
  std::string out;
  for (const char c : printable(text, max)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '@':
        out += "@\u200d";
        break;
      case '#':
        out += "#\u200d";
        break;
      case '|':  // a backslash before it ends a cell for some readers
        out += "&#124;";
        break;
      case '\\':
        out += "&#92;";
        break;
      case '`':
      case '*':
      case '_':
      case '{':
      case '}':
      case '[':
      case ']':
      case '(':
      case ')':
      case '!':
      case '~':
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
  // An address that nobody wrote as a link is made one by the host.
  for (const std::string_view scheme : {"http:", "https:", "www."})
    for (std::size_t at = out.find(scheme); at != std::string::npos;
         at = out.find(scheme, at + scheme.size() + 3))
      out.insert(at + scheme.size() - 1, "\u200d");
  return out;
}

std::string comment_code(std::string_view text, std::size_t max) {
  std::string out;
  for (const char c : printable(text, max))
    if (c != '`') out += c;
  // No reader agrees with another one about bars in the spans of a table.
  if (contains(out, "|")) return "<code>" + comment_text(out, max) + "</code>";
  return out.empty() ? "` `" : "`" + out + "`";
}

}  // namespace gh::report
