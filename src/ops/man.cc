#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/describe.h"
#include "ops/global_options.h"
#include "ops/support_ops.h"

namespace gh::ops {
namespace {

/// Text for roff: backslashes and dashes as themselves, no line taken for a request.
std::string roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    const bool line_start = out.empty() || out.back() == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (line_start && (c == '.' || c == '\'')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string options_text(std::span<const Option> options) {
  std::string out;
  for (const Option& option : options) {
    out += fmt::format(".TP\n.B {}\n{}", roff(option_form(option)), roff(option.help));
    if (!option.choices.empty()) out += fmt::format("; one of {}", roff(option.choices));
    if (!option.fallback.empty() && option.type != OptionType::flag)
      out += fmt::format(" (default: {})", roff(option.fallback));
    out += "\n";
  }
  return out;
}

std::string command_text(const Operation& op) {
  std::string out = fmt::format(".SS \"{}\"\n{}.\n.PP\n.B {}\n", roff(op.words), roff(op.summary),
                                roff(usage_line(op)));
  for (std::string_view paragraph : split(op.description, '\n'))
    if (!paragraph.empty()) out += fmt::format(".PP\n{}\n", roff(paragraph));
  for (const Operand& operand : op.operands)
    out += fmt::format(".TP\n.I {}\n{}\n", roff(operand.name), roff(operand.help));
  out += options_text(op.options) + ".PP\nExamples:\n";
  for (const Example& example : op.examples)
    out += fmt::format(".PP\n.RS 4\n.nf\n{}\n.fi\n{}\n.RE\n", roff(example.command),
                       roff(example.says));
  return out;
}

std::string page() {
  std::string out = fmt::format(
      ".TH GATEHOUSE 1 \"\" \"{0} {1}\" \"User Commands\"\n"
      ".SH NAME\n{0} \\- decide whether a change may enter a git repository, and prove why\n"
      ".SH SYNOPSIS\n.B {0}\n.I command\n.RI [ options ]\n"
      ".SH DESCRIPTION\n"
      "Every command prints its answer on standard output and everything else on standard error. "
      "The last line on standard error says why, whenever the exit status is not 0.\n",
      kProduct, kVersion);
  for (std::string_view heading : headings()) {
    out += fmt::format(".SH \"{}\"\n", heading);
    for (const Operation& op : operations())
      if (!op.hidden && op.group == heading) out += command_text(op);
  }
  out += ".SH \"OPTIONS OF EVERY COMMAND\"\n" + options_text(global_options());
  out += ".SH \"EXIT STATUS\"\n";
  for (const ExitCodeRow& row : exit_codes())
    out += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(row.code), roff(row.meaning));
  out += fmt::format(
      ".SH FILES\n.TP\n.B {}\npolicy at the root of the repository, read from the base commit\n"
      ".TP\n.B <git\\-common\\-dir>/gatehouse/\nledger, run folders and locks\n"
      ".SH ENVIRONMENT\n.TP\n.B GATEHOUSE_PAGER, PAGER\npager for long answers on a terminal\n"
      ".TP\n.B NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR\ncolour off, on, on\n"
      ".SH \"SEE ALSO\"\n.BR git (1),\n.BR git\\-apply (1)\n",
      kConfigFile);
  return out;
}

}  // namespace

Result<Reply> man(const Request&, Context&) {
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.man/1"},
                       {"page", page()},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [](const report::Look&) { return page(); };
  return reply;
}

}  // namespace gh::ops
