#include "control/environment.h"

#include <gtest/gtest.h>

namespace gh::control {
namespace {

// change-control 15.6: trimmed and lower-cased, one of 1, true, yes, on.
TEST(ControlEnvironment, FourWordsMeanYes) {
  for (const char* yes : {"1", "true", "yes", "on", " TRUE ", "Yes", "\tOn\n"})
    EXPECT_TRUE(is_yes(yes)) << yes;
  for (const char* no : {"", "0", "false", "no", "off", "2", "y", "t", "true false", "onn"})
    EXPECT_FALSE(is_yes(no)) << no;
}

// change-control 5.3: parameter, else environment, else default; booleans and unparsable values
// mean the default; out of range is clamped. 4.1: ttl 60..86400, lease 60..600.
TEST(ControlEnvironment, SecondsComeFromTheFirstThatSaysThem) {
  struct Case {
    Value parameter;
    const char* environment;
    std::int64_t ttl, lease;  // with 3000 and 200 configured
  };
  const Case kCases[] = {
      {Value(), "", 3000, 200},
      {Value(120), "90", 120, 120},
      {Value(), "90", 90, 90},
      {Value(), " 90 ", 90, 90},
      {Value(), "+90", 90, 90},
      {Value("75"), "90", 75, 75},
      {Value(true), "90", 3000, 200},
      {Value(false), "", 3000, 200},
      {Value("soon"), "90", 3000, 200},
      {Value(Decimal{15'000}), "90", 3000, 200},
      {Value(List{}), "", 3000, 200},
      {Value(), "soon", 3000, 200},
      {Value(), "90s", 3000, 200},
      {Value(), " ", 3000, 200},
      {Value(), "99999999999999999999", 3000, 200},
      {Value(0), "", 60, 60},
      {Value(-7), "", 60, 60},
      {Value(59), "", 60, 60},
      {Value(60), "", 60, 60},
      {Value(600), "", 600, 600},
      {Value(601), "", 601, 600},
      {Value(86'400), "", 86'400, 600},
      {Value(86'401), "", 86'400, 600},
      {Value(), "1", 60, 60},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(resolve_seconds(policy::kTtlRange, c.parameter, c.environment, 3000), c.ttl)
        << type_name(c.parameter) << ' ' << c.environment;
    EXPECT_EQ(resolve_seconds(policy::kLeaseRange, c.parameter, c.environment, 200), c.lease)
        << type_name(c.parameter) << ' ' << c.environment;
  }
}

}  // namespace
}  // namespace gh::control
