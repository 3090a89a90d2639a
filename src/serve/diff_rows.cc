#include "serve/diff_rows.h"

#include <fmt/format.h>

#include "base/text.h"
#include "diff/patch.h"
#include "model/peek.h"

namespace gh::serve {
namespace {

Value hunk_value(const diff::Hunk& hunk) {
  std::int64_t old_line = hunk.old_start, new_line = hunk.new_start;
  List rows;
  diff::for_each_line(hunk, [&](char kind, std::string_view text, auto...) {
    Map row{{"kind", std::string(1, kind)}, {"text", utf8_or_escaped(text)}};
    if (kind != '+') row.set("old", old_line++);
    if (kind != '-') row.set("new", new_line++);
    rows.emplace_back(std::move(row));
  });
  return Map{{"old_start", hunk.old_start},
             {"new_start", hunk.new_start},
             {"old_no_newline", hunk.old_no_newline},
             {"new_no_newline", hunk.new_no_newline},
             {"rows", std::move(rows)}};
}

Value file_value(const diff::Section& section) {
  List hunks;
  for (const diff::Hunk& hunk : section.hunks)
    hunks.push_back(hunk_value(hunk));
  return Map{{"path", utf8_or_escaped(section.new_path)},
             {"old_path", utf8_or_escaped(section.old_path)},
             {"operation", to_string(section.op)},
             {"added", section.added},
             {"deleted", section.deleted},
             {"hunks", std::move(hunks)}};
}

}  // namespace

Map with_rows(Map document, const Map& given) {
  const Value* text = document.find("diff");
  const std::string bytes =
      text != nullptr && text->as_string() != nullptr ? *text->as_string() : std::string();
  const auto patch = diff::parse(bytes, diff::Profile::git, diff::Position::exact);
  if (!patch && !bytes.empty()) {
    document.set("files", Value());
    return document;
  }
  const Value* wanted = given.find("file");
  List files;
  if (patch)
    for (const diff::Section& section : patch->sections)
      if (wanted == nullptr || Peek(wanted).text() == utf8_or_escaped(section.new_path))
        files.push_back(file_value(section));
  document.set("files", std::move(files));
  if (wanted != nullptr) document.set("diff", Value());
  return document;
}

}  // namespace gh::serve
