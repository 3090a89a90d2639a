// What code can reach beyond itself: one row per import or call that opens a way, by language
// (analysis reference, "Security surfaces").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax/languages.h"

namespace gh::analysis {

enum class SurfaceCategory : std::uint8_t {
  process_boundary,
  dynamic_execution,
  dynamic_loading,
  deserialization,
  network_boundary,
  database_boundary,
  crypto_transport,
  identity_token,
  archive_extraction,
  filesystem_mutation,
};
std::string_view to_string(SurfaceCategory);

enum class Evidence : std::uint8_t { imported, builtin, called };
std::string_view to_string(Evidence);  // import, builtin, call
std::string_view mode_name(Evidence);  // exact_import, ...

/// What a call must say besides its name.
enum class When : std::uint8_t {
  always,
  mode_first,    // its first argument, or `mode`, opens for writing
  mode_second,   // its second
  flags_second,  // its second argument names a flag of writing
  not_literal,   // its first argument is worked out
};

struct SurfaceRow {
  SurfaceCategory category;
  Evidence evidence;
  std::string_view name;  // resolved; `()` where something is called on the way
  std::string_view capability;
  When when = When::always;
};

std::span<const SurfaceRow> python_surfaces();
std::span<const SurfaceRow> javascript_surfaces();
std::span<const SurfaceRow> java_surfaces();
std::span<const SurfaceRow> c_family_surfaces();
std::span<const SurfaceRow> c_surfaces();
std::span<const SurfaceRow> cpp_surfaces();
std::span<const SurfaceRow> go_surfaces();
std::span<const SurfaceRow> rust_surfaces();

/// The rows of one language, ready to be asked for every name of a file.
class SurfaceRules {
 public:
  static const SurfaceRules& of(syntax::Language);
  SurfaceRules(std::initializer_list<std::span<const SurfaceRow>>, std::string_view);

  std::size_t size() const { return rows_.size(); }
  const SurfaceRow& row(std::uint32_t i) const { return *rows_[i]; }
  /// Could a call of something that ends with this word be one of the rows? Most are not, and that
  /// is seen from a byte and a length.
  bool is_last_word(std::string_view word) const {
    return !word.empty() &&
           (lengths_[static_cast<unsigned char>(word[0])] >> length_bit(word)) % 2 &&
           words_.contains(word);
  }
  static constexpr std::uint32_t kNoRow = 0xffffffff;
  std::uint32_t called(std::string_view name) const { return find(calls_, name); }
  /// The row of the module or of the nearest one above it.
  std::uint32_t imported(std::string_view module) const;

 private:
  using Index = std::unordered_map<std::string_view, std::uint32_t>;
  static std::size_t length_bit(std::string_view word) {
    return word.size() < 63 ? word.size() : std::size_t{63};
  }
  static std::uint32_t find(const Index& index, std::string_view name) {
    const auto at = index.find(name);
    return at == index.end() ? kNoRow : at->second;
  }

  std::vector<const SurfaceRow*> rows_{};
  std::string_view separator_;  // between the parts of a module
  Index calls_{}, imports_{};
  std::unordered_set<std::string_view> words_{};
  std::array<std::uint64_t, 256> lengths_{};  // of words, by their first byte
};

/// What stands after the last separator.
std::string_view last_word_of(std::string_view name);

}  // namespace gh::analysis
