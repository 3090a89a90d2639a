#include "fonts.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <pango/pangofc-fontmap.h>

#include "base/unicode.h"

namespace gh::pdf {
namespace {

struct FontFile {
  const char* path;
  bool is_needed;
};

// The first that has a character draws it.
constexpr std::array kFiles{
    FontFile{"/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf", true},
    FontFile{"/usr/share/fonts/truetype/liberation2/LiberationSans-Bold.ttf", true},
    FontFile{"/usr/share/fonts/truetype/liberation2/LiberationMono-Regular.ttf", true},
    FontFile{"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", false},
    FontFile{"/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", false},
    FontFile{"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", false},
    FontFile{"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", false},
};

bool any_font_has(const FcFontSet& fonts, char32_t code) {
  for (int i = 0; i < fonts.nfont; ++i) {
    FcCharSet* known = nullptr;
    if (FcPatternGetCharSet(fonts.fonts[i], FC_CHARSET, 0, &known) == FcResultMatch &&
        FcCharSetHasChar(known, code))
      return true;
  }
  return false;
}

}  // namespace

bool Fonts::load() {
  FcConfig* const config = FcConfigCreate();
  for (const FontFile& file : kFiles) {
    const bool exists = std::filesystem::exists(file.path);
    if (!exists && file.is_needed) return false;
    if (exists) FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(file.path));
  }
  FcConfigSetCurrent(config);
  map_.reset(pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT));
  pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map_.get()), config);
  pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map_.get()), 72);  // sizes are points
  FcConfigDestroy(config);
  return true;
}

std::string Fonts::drawable(std::string_view utf8) const {
  const FcFontSet* fonts = FcConfigGetFonts(
      pango_fc_font_map_get_config(PANGO_FC_FONT_MAP(map_.get())), FcSetApplication);
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t from = at;
    const char32_t code = next_code_point(utf8, at);
    if (code < 0x7F || (fonts != nullptr && any_font_has(*fonts, code)))
      out += utf8.substr(from, at - from);
    else
      out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(code));
  }
  return out;
}

}  // namespace gh::pdf
