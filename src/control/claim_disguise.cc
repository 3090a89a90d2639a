#include "control/claim_disguise.h"

#include <algorithm>
#include <array>

#include "base/unicode.h"

namespace gh::control {
namespace {

struct LookAlikes {
  char32_t latin;
  std::u32string_view others;
};
// clang-format off
// table: look-alikes of letters
constexpr std::array kLookAlikes{
    LookAlikes{'a', U"\u0430\u0410\u03B1\u0391\u0251\u1D00"},
    LookAlikes{'b', U"\u0412\u0432\u042C\u044C\u0392\u03B2\u0299"},
    LookAlikes{'c', U"\u0441\u0421\u03F2\u03F9\u1D04"},
    LookAlikes{'d', U"\u0501\u0500\u0111\u1D05"},
    LookAlikes{'e', U"\u0435\u0415\u03B5\u0395\u0454\u1D07"},
    LookAlikes{'f', U"\u03DC\uA730"},
    LookAlikes{'g', U"\u0261\u0581\u0262"},
    LookAlikes{'h', U"\u041D\u043D\u04BB\u04BA\u0397\u0570\u029C"},
    LookAlikes{'i', U"\u0456\u0406\u03B9\u0399\u0131\u026A"},
    LookAlikes{'j', U"\u0458\u0408\u03F3\u1D0A"},
    LookAlikes{'k', U"\u043A\u041A\u03BA\u039A\u1D0B"},
    LookAlikes{'l', U"\u04CF\u04C0\u0142\u029F"},
    LookAlikes{'m', U"\u043C\u041C\u039C\u1D0D"},
    LookAlikes{'n', U"\u043F\u039D\u03B7\u0578\u0274"},
    LookAlikes{'o', U"\u043E\u041E\u03BF\u039F\u0585\u00F8\u1D0F"},
    LookAlikes{'p', U"\u0440\u0420\u03C1\u03A1\u1D18"},
    LookAlikes{'q', U"\u051B\u051A"},
    LookAlikes{'r', U"\u0433\u0280"},
    LookAlikes{'s', U"\u0455\u0405\uA731"},
    LookAlikes{'t', U"\u0422\u0442\u03A4\u03C4\u0167\u1D1B"},
    LookAlikes{'u', U"\u03C5\u057D\u0438\u1D1C"},
    LookAlikes{'v', U"\u03BD\u0475\u0474\u1D20"},
    LookAlikes{'w', U"\u051D\u051C\u03C9\u1D21"},
    LookAlikes{'x', U"\u0445\u0425\u03C7\u03A7"},
    LookAlikes{'y', U"\u0443\u0423\u03A5\u03B3\u028F"},
    LookAlikes{'z', U"\u0396\u1D22"},
    LookAlikes{'-', U"\u2010\u2011\uFE63\uFF0D"},
    LookAlikes{'\'', U"\u2019\u02BC\uFF07"},
};

struct Entity {
  std::u32string_view name;
  char32_t point;
};
// table: entities of claims
constexpr std::array kEntities{
    Entity{U"amp", '&'},       Entity{U"apos", '\''},     Entity{U"emsp", 0x2003},   Entity{U"ensp", 0x2002},
    Entity{U"gt", '>'},        Entity{U"hyphen", '-'},    Entity{U"lowbar", '_'},    Entity{U"lt", '<'},
    Entity{U"nbsp", 0xA0},     Entity{U"newline", '\n'},  Entity{U"period", '.'},    Entity{U"quot", '"'},
    Entity{U"rsquo", '\''},    Entity{U"shy", 0xAD},      Entity{U"tab", '\t'},      Entity{U"thinsp", 0x2009},
    Entity{U"zwj", 0x200D},    Entity{U"zwnj", 0x200C},
};

// table: tags of lines and cells
constexpr std::array<std::u32string_view, 3> kLineTags{U"br", U"td", U"th"};
// table: tags of paragraphs
constexpr std::array<std::u32string_view, 20> kBlockTags{
    U"blockquote", U"dd", U"details", U"div", U"dl", U"dt", U"h1", U"h2", U"h3", U"h4",
    U"h5", U"h6", U"hr", U"li", U"ol", U"p", U"pre", U"table", U"tr", U"ul"};
// clang-format on

constexpr std::size_t kReach = 400;  // code points from the beginning of a tag to its end
constexpr std::size_t kEntityReach = 10;

char32_t look_alike(char32_t point) {
  for (const LookAlikes& row : kLookAlikes)
    if (row.others.find(point) != row.others.npos) return row.latin;
  return point;
}

bool is_letter(char32_t c) { return c >= 'a' && c <= 'z'; }  // folded
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_letters(const std::u32string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char32_t c) { return is_letter(c) || is_digit(c); });
}

std::u32string points_of(const std::string& utf8) {
  std::u32string out;
  for (std::size_t at = 0; at < utf8.size();)
    out += next_code_point(utf8, at);
  return out;
}

/// What stands in place of a part of the text, which ends at `end`; 0: nothing does.
struct Replaced {
  std::size_t end = 0;
  std::u32string by{};
};

Replaced comment_at(std::u32string_view text, std::size_t at) {
  if (!text.substr(at).starts_with(U"<!--")) return {};
  const std::size_t end = text.find(U"-->", at + 4);
  return end == text.npos ? Replaced{} : Replaced{end + 3};
}

/// The end of a tag, behind its '>'; 0: there is none near. A '>' in quotation marks is none.
std::size_t tag_end(std::u32string_view text, std::size_t at) {
  char32_t quote = 0;
  for (const std::size_t limit = std::min(text.size(), at + kReach); at < limit; ++at) {
    const char32_t c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    } else if (c == '<') {
      return 0;
    }
  }
  return 0;
}

Replaced tag_at(std::u32string_view text, std::size_t at) {
  std::size_t name = at + 1;
  if (name < text.size() && text[name] == '/') ++name;
  std::size_t last = name;
  while (last < text.size() &&
         (is_letter(text[last]) || (last > name && (is_digit(text[last]) || text[last] == '-'))))
    ++last;
  const bool is_named = last > name && last < text.size() &&
                        (is_space(text[last]) || text[last] == '/' || text[last] == '>');
  const std::u32string_view called = text.substr(name, last - name);
  if (!is_named || begins_family(called)) return {};  // <complexity> is no tag, it cites
  Replaced out{tag_end(text, last)};
  if (std::ranges::find(kLineTags, called) != kLineTags.end()) out.by = U" ";
  if (std::ranges::find(kBlockTags, called) != kBlockTags.end()) out.by = U"\n\n";
  return out;
}

char32_t number_of(std::u32string_view digits, char32_t base) {
  char32_t out = 0;
  for (const char32_t c : digits) {
    const char32_t value = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : base;
    if (value >= base || out > 0x10FFFF) return 0;
    out = out * base + value;
  }
  const bool is_one = out <= 0x10FFFF && (out < 0xD800 || out > 0xDFFF);
  return is_one ? out : 0;
}

Replaced entity_at(std::u32string_view text, std::size_t at) {
  const std::size_t end = text.substr(at, kEntityReach).find(U';');
  if (end == text.npos) return {};
  std::u32string_view name = text.substr(at + 1, end - 1);
  char32_t point = 0;
  if (name.starts_with(U"#x"))
    point = number_of(name.substr(2), 16);
  else if (name.starts_with(U"#"))
    point = number_of(name.substr(1), 10);
  else if (const auto* row = std::ranges::find(kEntities, name, &Entity::name);
           row != kEntities.end())
    point = row->point;
  if (point == 0) return {};
  Replaced out{at + end + 1};
  append_as_seen(utf8_of(point), point, out.by);
  return out;
}

}  // namespace

void append_as_seen(std::string_view one, char32_t point, std::u32string& out) {
  if (point >= 0x0300 && point <= 0x036F) return;
  point = look_alike(point);
  if (point < 0x80) {
    out += point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
    return;
  }
  if (const std::u32string plain = points_of(plain_letters(one)); is_letters(plain))
    out += plain;
  else
    out += points_of(nfc_casefold(one));
}

Folded without_markup(const Folded& from) {
  Folded out;
  const std::u32string_view text = from.text;
  for (std::size_t at = 0; at < text.size();) {
    Replaced found;
    if (text[at] == '<') {
      found = comment_at(text, at);
      if (found.end == 0) found = tag_at(text, at);
    } else if (text[at] == '&') {
      found = entity_at(text, at);
    }
    if (found.end == 0) found = {at + 1, std::u32string(1, text[at])};
    out.text += found.by;
    out.origin.resize(out.text.size(), from.origin[at]);
    at = found.end;
  }
  return out;
}

}  // namespace gh::control
