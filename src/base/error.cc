#include "base/error.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace gh {
namespace {
struct Row {
  std::string_view name;
  CodeClass klass;
  std::string_view help;
};
constexpr std::array kRows{
#define GH_CODE(name, klass, help) Row{#name, CodeClass::klass, help},
#include "base/error_codes.def"
#undef GH_CODE
};
constexpr const Row& row(Code c) { return kRows[static_cast<std::size_t>(c)]; }
}  // namespace

std::string_view to_string(Code c) { return row(c).name; }
std::string_view help(Code c) { return row(c).help; }
std::string_view help(const Error& e) { return e.next.empty() ? help(e.code) : e.next; }
CodeClass class_of(Code c) { return row(c).klass; }

void assertion_failed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "gatehouse: internal error: %s does not hold (%s:%d)\n", what, file, line);
  std::abort();
}

}  // namespace gh
