#include "surface/verbs.h"

#include <algorithm>
#include <array>

namespace gh::surface {
namespace {

struct Lexicon {
  std::string_view what, verbs;
};
// clang-format off
// table: verbs
constexpr std::array<Lexicon, 6> kVerbs{{
    {"destructive", "drop truncate purge wipe erase uninstall revoke terminate kill reset rollback force cancel delete destroy remove"},
    {"financial", "pay payout transfer wire withdraw deposit purchase subscribe price quote charge refund"},
    {"code", "eval exec spawn subprocess script sql query_raw execute"},
    {"write", "add append assign attach approve archive book commit configure disable edit enable enroll grant import insert invite lock merge modify move mutate patch post publish push put register rename replace reply restart restore run save schedule set start stop submit subscribe sync transfer trigger upload upsert create issue send update write"},
    {"network", "fetch download browse crawl http request"},
    {"read", "describe count check compare find inspect read show summarize validate get list lookup preview search status view"},
}};
// clang-format on
constexpr std::string_view kAmbiguous = "run set query request";

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

std::string_view class_of(std::string_view word) {
  for (const Lexicon& row : kVerbs)
    if (is_one_of(word, row.verbs)) return row.what;
  return {};
}

/// deletes, deleted and deleting are delete.
std::optional<VerbClass> classify_word(const std::string& word) {
  std::vector<std::string> stems{word};
  const auto without = [&](std::string_view ending, std::string_view instead) {
    if (word.size() > ending.size() + 2 && word.ends_with(ending))
      stems.push_back(word.substr(0, word.size() - ending.size()) + std::string(instead));
  };
  without("s", "");
  without("es", "");
  without("ed", "");
  without("d", "");
  without("ing", "");
  without("ing", "e");
  for (const std::string& stem : stems)
    if (const std::string_view what = class_of(stem); !what.empty())
      return VerbClass{stem, what, is_one_of(stem, kAmbiguous)};
  return std::nullopt;
}

/// A verb of two words, in front or at the end.
std::optional<VerbClass> classify_pair(const std::vector<std::string>& words) {
  if (words.size() < 2) return std::nullopt;
  for (const std::size_t at : {std::size_t{0}, words.size() - 2}) {
    const std::string pair = words[at] + "_" + words[at + 1];
    if (const std::string_view what = class_of(pair); !what.empty()) return VerbClass{pair, what};
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> out;
  char before = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_letter = is_upper(c) || is_lower(c);
    const bool ends_capitals =
        is_upper(c) && is_upper(before) && i + 1 < name.size() && is_lower(name[i + 1]);
    const bool starts = is_letter && (!(is_upper(before) || is_lower(before)) ||
                                      (is_upper(c) && is_lower(before)) || ends_capitals);
    if (starts) out.emplace_back();
    if (is_letter) out.back() += is_upper(c) ? static_cast<char>(c + 32) : c;
    before = c;
  }
  return out;
}

std::optional<VerbClass> verb_of(const Tool& tool) {
  const auto words = name_words(tool.name);
  std::optional<VerbClass> named = classify_pair(words);
  if (!words.empty() && !named) named = classify_word(words.front());
  if (!words.empty() && !named) named = classify_word(words.back());
  if (named && !named->ambiguous) return named;
  const auto tokens = tokens_of(std::string_view(tool.description).substr(0, 80));
  auto told = tokens.empty() ? std::nullopt : classify_word(tokens.front());
  return told && (!told->ambiguous || !named) ? told : named;
}

bool is_mutating(const VerbClass& verb) {
  return !verb.ambiguous && is_one_of(verb.what, "destructive financial code write");
}

}  // namespace gh::surface
