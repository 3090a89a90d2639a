#pragma once
// The three forms of a submitted diff (proposals 1.1) brought into git's form. Reader of outside
// bytes.
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "proposal/finding.h"

namespace gh::proposal {

struct Intake {
  std::string form;  // git, mail, traditional
  std::string diff;  // what the patch gate reads
  std::string mail_subject{}, mail_body{};
};

/// PROP_MAIL_INVALID or PROP_TRADITIONAL_AMBIGUOUS. Bytes of no known form come back as they are,
/// for the patch gate to refuse.
tl::expected<Intake, Finding> take_in(std::string_view submitted);

}  // namespace gh::proposal
