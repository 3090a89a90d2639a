#include "syntax/python_defaults.h"

#include <algorithm>

namespace gh::syntax {
namespace {

bool is_word_char(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Defaults {
 public:
  explicit Defaults(std::string_view source) : source_(source), out_(source) {}

  std::optional<std::string> run() {
    while (at_ < source_.size())
      step();
    if (!is_changed_) return std::nullopt;
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = source_[at_];
    if (c == '#') {
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else if (c == '"' || c == '\'') {
      string(c);
      word_ = keyword_ = {};
    } else if (is_word_char(c)) {
      const std::size_t start = at_;
      while (is_word_char(peek(0)))
        ++at_;
      keyword_ = word_;
      word_ = source_.substr(start, at_ - start);
    } else {
      if (c != ' ' && c != '\t' && c != '\\') mark(c);
      ++at_;
    }
  }

  void string(char quote) {
    const std::string_view triple = source_.substr(at_, 3);
    const bool is_long = triple == "\"\"\"" || triple == "'''";
    at_ += is_long ? 3 : 1;
    while (at_ < source_.size()) {
      if (source_[at_] == '\\') {
        at_ += 2;
      } else if (is_long ? source_.substr(at_, 3) == triple : source_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return;
      } else if (!is_long && source_[at_] == '\n') {
        return;
      } else {
        ++at_;
      }
    }
    at_ = source_.size();
  }

  void mark(char c) {
    const bool opens_parameters = c == '[' && !word_.empty() &&
                                  (keyword_ == "def" || keyword_ == "class" || keyword_ == "type");
    word_ = keyword_ = {};
    if (depth_ == 0 && !opens_parameters) return;
    if (c == '[' || c == '(' || c == '{') ++depth_;
    if (c == ']' || c == ')' || c == '}') --depth_;
    if (depth_ != 1) return;
    if (c == '[' || c == ',') is_bounded_ = false;
    if (c == ':') is_bounded_ = true;
    if (c == '=') default_value();
  }

  void default_value() {
    if (peek(1) == '=' ||
        std::string_view("=:!<>").find(source_[at_ - 1]) != std::string_view::npos)
      return;
    out_[at_] = is_bounded_ ? '|' : ':';
    is_changed_ = true;
  }

  std::string_view source_;
  std::string out_;
  std::size_t at_ = 0;
  std::string_view word_{}, keyword_{};  // the last word and the one before it
  std::size_t depth_ = 0;                // of brackets, from those of the parameters on
  bool is_bounded_ = false;              // the parameter has a bound
  bool is_changed_ = false;
};

}  // namespace

std::optional<std::string> with_bounds_for_defaults(std::string_view source) {
  return Defaults(source).run();
}

}  // namespace gh::syntax
