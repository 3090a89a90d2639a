#include "proposal/intake.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/intake_forms.h"

namespace gh::proposal {
namespace {

bool is_traditional(std::string_view text) {
  Lines lines(text);
  while (!lines.done() && lines.current().empty())
    lines.take();
  for (const std::string_view start : {"--- ", "+++ ", "@@ -"}) {
    if (lines.done() || !lines.take().starts_with(start)) return false;
  }
  return true;
}

}  // namespace

tl::expected<Intake, Finding> take_in(std::string_view submitted) {
  if (is_mail(submitted)) return unwrap_mail(submitted);
  if (is_traditional(submitted)) return from_traditional(submitted);
  return Intake{.form = "git", .diff = std::string(submitted)};
}

}  // namespace gh::proposal
