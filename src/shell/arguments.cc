#include "shell/arguments.h"

#include <algorithm>

namespace gh::shell {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool is_among(std::string_view names, std::string_view name) {
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t comma = std::min(names.find(',', from), names.size());
    const std::string_view one = names.substr(from, comma - from);
    if (one == name || (name.size() > 1 && one.starts_with(name))) return true;
    from = comma + 1;
  }
  return false;
}

std::string_view known_value(const Word& word, std::size_t from) {
  return word.is_plain() ? std::string_view(word.text).substr(from) : std::string_view();
}

std::string_view last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

Arguments read_arguments(Words words, std::string_view short_values, std::string_view long_values,
                         bool stops_at_operand) {
  Arguments out;
  bool only_operands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const std::string_view text = word.text;
    if (only_operands || text.size() < 2 || text[0] != '-') {
      if (!only_operands && !word.is_literal && text.empty()) out.is_certain = false;
      if (!only_operands && !word.is_literal && text.starts_with('-')) out.is_certain = false;
      out.operands.push_back(&word);
      if (only_operands) out.after_dashes.push_back(&word);
      if (stops_at_operand) {
        for (++i; i < words.size(); ++i)
          out.operands.push_back(&words[i]);
      }
      continue;
    }
    if (!word.is_plain()) out.is_certain = false;
    if (text == "--") {
      only_operands = true;
      continue;
    }
    const Word* next = i + 1 < words.size() ? &words[i + 1] : nullptr;
    if (text.starts_with("--")) {
      const std::size_t equals = text.find('=');
      const std::string_view name = text.substr(2, equals == text.npos ? text.npos : equals - 2);
      if (equals != text.npos) {
        out.options.push_back({name, &word, text.substr(equals + 1)});
      } else if (is_among(long_values, name) && next != nullptr) {
        out.options.push_back({name, next, next->text});
        ++i;
      } else {
        out.options.push_back({name, nullptr});
      }
      continue;
    }
    for (std::size_t at = 1; at < text.size(); ++at) {
      const std::string_view letter = text.substr(at, 1);
      if (short_values.find(letter[0]) == short_values.npos) {
        out.options.push_back({letter, nullptr});
        continue;
      }
      if (at + 1 < text.size()) {
        out.options.push_back({letter, &word, text.substr(at + 1)});
      } else if (next != nullptr) {
        out.options.push_back({letter, next, next->text});
        ++i;
      }
      break;
    }
  }
  return out;
}

}  // namespace gh::shell
