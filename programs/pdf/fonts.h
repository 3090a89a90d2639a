#pragma once
// The fonts of a page are files named here, and no others: what is printed must not depend on what
// else is installed, or on anybody's configuration.
#include <memory>
#include <string>
#include <string_view>

#include <pango/pangocairo.h>

namespace gh::pdf {

inline constexpr const char* kBodyFamily = "Liberation Sans";
inline constexpr const char* kCodeFamily = "Liberation Mono";

class Fonts {
 public:
  /// False when even the fonts of the body are not installed.
  bool load();
  PangoFontMap* map() const { return map_.get(); }
  /// A character that no font here can draw is written as \u{1f600}: a box would hide it.
  std::string drawable(std::string_view utf8) const;

 private:
  struct Unref {
    void operator()(PangoFontMap* map) const { g_object_unref(map); }
  };
  std::unique_ptr<PangoFontMap, Unref> map_;
};

}  // namespace gh::pdf
