#include "ops/global_options.h"

#include <array>

namespace gh::ops {
namespace {

// clang-format off
constexpr std::array kGlobalOptions{
    Option{"directory", OptionType::path, "DIR", "", "work on the repository at DIR; files you name stay relative to where you are", "", Completes::folder, 'C'},
    Option{"json", OptionType::flag, "", "", "print the answer as JSON (same as --format json)"},
    Option{"format", OptionType::choice, "FORMAT", "text", "how to print the answer; ctcp is for patch check and patch apply", "text json ctcp"},
    Option{"field", OptionType::text, "A.B.C", "", "print one member of the JSON answer, e.g. details.rule"},
    Option{"quiet", OptionType::flag, "", "", "print errors only", "", Completes::nothing, 'q'},
    Option{"verbose", OptionType::flag, "", "", "say what is being done, with timings; twice for more", "", Completes::nothing, 'v'},
    Option{"color", OptionType::choice, "WHEN", "auto", "use colour", "auto always never"},
    Option{"ascii", OptionType::flag, "", "", "no symbols beyond ASCII"},
    Option{"exit-codes", OptionType::choice, "MAP", "native", "numbers of which tool to exit with", "native shipgate codeclone"},
    Option{"pager", OptionType::flag, "", "true", "long answers on a terminal go through $GATEHOUSE_PAGER, $PAGER or less"},
    Option{"help", OptionType::flag, "", "", "show the help of the command", "", Completes::nothing, 'h'},
    Option{"version", OptionType::flag, "", "", "print the version", "", Completes::nothing, 'V'},
};
// clang-format on

}  // namespace

std::span<const Option> global_options() { return kGlobalOptions; }

}  // namespace gh::ops
