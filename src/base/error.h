#pragma once
// Failure of Gatehouse itself, as a value. A refused change is not an Error; it is an answer.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace gh {

/// Stable public error codes; the enumerator is the wire name. Never renamed, never reused.
enum class Code : std::uint16_t {
#define GH_CODE(name, klass, help) name,
#include "base/error_codes.def"
#undef GH_CODE
};
inline constexpr std::size_t kCodeCount = 0
#define GH_CODE(name, klass, help) +1
#include "base/error_codes.def"
#undef GH_CODE
    ;

/// Decides the exit status (interfaces 5.6): usage 2, input 3, environment 4, internal 5.
enum class CodeClass : std::uint8_t { usage, input, environment, internal };

std::string_view to_string(Code);
std::string_view help(Code);
CodeClass class_of(Code);

struct Error {
  Code code;
  std::string message;               // what was seen and what was expected; no advice
  std::vector<std::string> trail{};  // where, innermost first
  std::string next{};                // what helps here; empty: what helps with the code

  Error at(std::string where) && {
    trail.push_back(std::move(where));
    return std::move(*this);
  }
};

std::string_view help(const Error&);

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(Code c, std::string message) {
  return tl::unexpected<Error>(Error{c, std::move(message)});
}

inline tl::unexpected<Error> fail(Code c, std::string message, std::string next) {
  return tl::unexpected<Error>(Error{c, std::move(message), {}, std::move(next)});
}

/// Prints the broken promise and aborts. Never used on input.
[[noreturn]] void assertion_failed(const char* what, const char* file, int line);

}  // namespace gh

/// Binds `var` to the value of `expr`, or returns its error from the enclosing function.
#define GH_TRY(var, expr)                                                           \
  auto var##_result_ = (expr);                                                      \
  if (!var##_result_) return tl::make_unexpected(std::move(var##_result_).error()); \
  auto& var = *var##_result_

/// Runs a Status expression for its effect, or returns its error.
#define GH_DO(expr)                          \
  if (auto gh_status_ = (expr); !gh_status_) \
  return tl::make_unexpected(std::move(gh_status_).error())

#define GH_ASSERT(condition) \
  ((condition) ? void(0) : ::gh::assertion_failed(#condition, __FILE__, __LINE__))
