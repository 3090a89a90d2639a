#pragma once
// The part of git's attribute language that the tree gate needs: which attributes the
// .gitattributes files of a tree give to a path.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::patch {

struct AttributeValue {
  enum class State : std::uint8_t { set, unset, unspecified, value };  // a  -a  !a  a=value
  State state = State::unspecified;
  std::string value{};
  bool operator==(const AttributeValue&) const = default;
  bool is_on() const { return state == State::set || state == State::value; }
};

struct Assignment {
  std::string name;
  AttributeValue to;
};

/// One .gitattributes file. Lines that git would ignore are not here.
struct AttributeFile {
  struct Line {
    std::string pattern;  // empty pattern and a macro name: a macro definition
    std::string macro;
    std::vector<Assignment> assignments;
  };
  std::vector<Line> lines;
};

inline constexpr std::size_t kMaxAttributeBytes = 100 * 1024 * 1024;  // git reads no larger file
inline constexpr std::size_t kMaxAttributeLine = 2047;

/// Macros may be defined in the file of the root folder only.
AttributeFile parse_attributes(std::string_view bytes, bool is_root);

/// A file with the folder it lies in: "" for the root, else ending in '/'.
struct PlacedAttributes {
  std::string_view folder;
  const AttributeFile* file;
};

/// State of every attribute that is mentioned for `path`. `files`: root first, each folder of the
/// path that has one.
std::map<std::string, AttributeValue> attributes_of(std::string_view path,
                                                    const std::vector<PlacedAttributes>& files);

/// Pattern rules of .gitignore and .gitattributes on a whole path or a basename: '*' and '?' stay
/// inside a component, "**" as a whole component crosses them, '\' quotes. Time O(pattern * text).
bool matches_git_pattern(std::string_view text, std::string_view pattern);

}  // namespace gh::patch
