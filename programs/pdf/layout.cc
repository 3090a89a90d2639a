#include "layout.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <vector>

#include <cairo-pdf.h>
#include <fmt/format.h>
#include <pango/pangocairo.h>

namespace gh::pdf {
namespace {

constexpr double kMarginX = 54, kTop = 72, kBottom = 64;  // of the text
constexpr double kTextWidth = kPageWidth - 2 * kMarginX;
constexpr double kTextEnd = kPageHeight - kBottom;
constexpr double kCellPadX = 5, kCellPadY = 3.5;
constexpr double kBodySize = 9.5, kCellSize = 8.2, kCodeSize = 8, kSmallSize = 7.6;
constexpr double kLineSpacing = 1.22;

struct Colour {
  double r, g, b;
};
constexpr Colour kInk{0.10, 0.12, 0.16}, kFaint{0.42, 0.45, 0.50}, kRule{0.82, 0.84, 0.87},
    kShade{0.955, 0.96, 0.97}, kWhite{1, 1, 1};

struct ToneColours {
  Colour text, band;
};
// In the order of Tone.
constexpr std::array kTones{
    ToneColours{kInk, {0.36, 0.41, 0.49}},
    ToneColours{{0.08, 0.42, 0.22}, {0.10, 0.48, 0.26}},
    ToneColours{{0.58, 0.36, 0.02}, {0.72, 0.45, 0.02}},
    ToneColours{{0.68, 0.11, 0.13}, {0.70, 0.12, 0.14}},
    ToneColours{kFaint, {0.55, 0.58, 0.63}},
};
const ToneColours& colours(Tone tone) { return kTones[static_cast<std::size_t>(tone)]; }

struct Style {
  const char* family = kBodyFamily;
  double size = kBodySize;
  bool is_bold = false;
  Colour colour = kInk;
};

struct HeadingStyle {
  double size, before, after;
};
constexpr std::array kHeadings{HeadingStyle{19, 4, 10}, HeadingStyle{13, 17, 6},
                               HeadingStyle{10.5, 11, 4}};

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
using Layout = std::unique_ptr<PangoLayout, Unref>;

/// Wrapped text, taken line by line, so that it can go on on the next page.
class Lines {
 public:
  explicit Lines(Layout layout) : layout_(std::move(layout)) {
    PangoLayoutIter* at = pango_layout_get_iter(layout_.get());
    do {
      PangoRectangle logical{};
      pango_layout_iter_get_line_extents(at, nullptr, &logical);
      lines_.push_back({pango_layout_iter_get_line_readonly(at), pango_units_to_double(logical.x),
                        pango_units_to_double(logical.height) * kLineSpacing,
                        pango_units_to_double(pango_layout_iter_get_baseline(at) - logical.y)});
    } while (pango_layout_iter_next_line(at));
    pango_layout_iter_free(at);
  }
  bool is_done() const { return next_ == lines_.size(); }
  double next_height() const { return lines_[next_].height; }
  double rest_height() const {
    double sum = 0;
    for (std::size_t i = next_; i < lines_.size(); ++i)
      sum += lines_[i].height;
    return sum;
  }
  /// Of the lines that come next, as many as fit.
  double fitting_height(double room) const {
    double sum = 0;
    for (std::size_t i = next_; i < lines_.size() && sum + lines_[i].height <= room; ++i)
      sum += lines_[i].height;
    return sum;
  }
  /// Draws what fits; the top of the next line afterwards.
  double draw(cairo_t* cr, double x, double y, double room) {
    const double end = y + room + 0.01;
    for (; !is_done() && y + next_height() <= end; ++next_) {
      const Line& line = lines_[next_];
      cairo_move_to(cr, x + line.x, y + line.baseline + line.height * (1 - 1 / kLineSpacing) / 2);
      pango_cairo_show_layout_line(cr, line.line);
      y += line.height;
    }
    return y;
  }

 private:
  struct Line {
    PangoLayoutLine* line;
    double x, height, baseline;
  };
  Layout layout_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
};

class Press {
 public:
  Press(const Document& document, const Fonts& fonts, cairo_surface_t* surface, int of_pages)
      : document_(document),
        fonts_(fonts),
        surface_(surface),
        cr_(cairo_create(surface)),
        context_(pango_font_map_create_context(fonts.map())),
        of_pages_(of_pages) {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context_.get(), options);
    cairo_font_options_destroy(options);
    pango_context_set_language(context_.get(), pango_language_from_string("en"));
  }
  Press(const Press&) = delete;
  Press& operator=(const Press&) = delete;
  ~Press() { cairo_destroy(cr_); }

  int run() {
    begin_page();
    for (const Block& block : document_.blocks) {
      std::visit([&](const auto& b) { print(b); }, block);
      if (is_full_) break;
    }
    end_page();
    return page_;
  }

 private:
  // --- text ---
  void ink(const Colour& c) { cairo_set_source_rgb(cr_, c.r, c.g, c.b); }

  Lines lines(std::string_view text, double width, const Style& style) {
    Layout layout(pango_layout_new(context_.get()));
    PangoFontDescription* font = pango_font_description_new();
    pango_font_description_set_family_static(font, style.family);
    pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
    pango_font_description_set_weight(font,
                                      style.is_bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout.get(), font);
    pango_font_description_free(font);
    pango_layout_set_width(layout.get(), pango_units_from_double(width));
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
    without_hyphens(layout.get());
    pango_layout_set_auto_dir(layout.get(), FALSE);  // pages read from the left, whoever is quoted
    const std::string drawable = fonts_.drawable(text);
    pango_layout_set_text(layout.get(), drawable.c_str(), static_cast<int>(drawable.size()));
    return Lines(std::move(layout));
  }

  /// A hyphen at a break inside of an identifier would be read as a part of it.
  static void without_hyphens(PangoLayout* layout) {
    PangoAttrList* attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(FALSE));
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);
  }

  void put(std::string_view text, double x, double y, double width, const Style& style) {
    ink(style.colour);
    lines(text, width, style).draw(cr_, x, y, kPageHeight);
  }

  // --- pages ---
  void begin_page() {
    ++page_;
    y_ = kTop;
    const Style small{.size = kSmallSize, .colour = kFaint};
    put(document_.header, kMarginX, 34, kTextWidth, small);
    rule(kMarginX, 50, kTextWidth);
    rule(kMarginX, kPageHeight - 46, kTextWidth);
    put(document_.footer, kMarginX, kPageHeight - 40, kTextWidth - 90, small);
    const std::string number =
        of_pages_ > 0 ? fmt::format("Page {} of {}", page_, of_pages_) : "Page";
    Lines shown = lines(number, 90, small);
    ink(kFaint);
    shown.draw(cr_, kPageWidth - kMarginX - width_of(number, small), kPageHeight - 40, 40);
  }
  void end_page() { cairo_surface_show_page(surface_); }

  double width_of(std::string_view text, const Style& style) {
    Layout layout(pango_layout_new(context_.get()));
    PangoFontDescription* font = pango_font_description_new();
    pango_font_description_set_family_static(font, style.family);
    pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
    pango_layout_set_font_description(layout.get(), font);
    pango_font_description_free(font);
    pango_layout_set_text(layout.get(), text.data(), static_cast<int>(text.size()));
    PangoRectangle logical{};
    pango_layout_get_extents(layout.get(), nullptr, &logical);
    return pango_units_to_double(logical.width);
  }

  double room() const { return kTextEnd - y_; }

  /// False: there are no pages any more.
  bool next_page() {
    if (page_ == kMaxPages) {
      if (!is_full_)
        put("The document is longer; the rest is left out.", kMarginX, kTextEnd, kTextWidth,
            {.is_bold = true, .colour = colours(Tone::bad).text});
      is_full_ = true;
      return false;
    }
    end_page();
    begin_page();
    return true;
  }

  void need(double height) {
    if (height > room() && y_ > kTop) next_page();
  }

  void rule(double x, double y, double width) {
    ink(kRule);
    cairo_set_line_width(cr_, 0.5);
    cairo_move_to(cr_, x, y);
    cairo_line_to(cr_, x + width, y);
    cairo_stroke(cr_);
  }
  void box(double x, double y, double width, double height, const Colour& colour) {
    ink(colour);
    cairo_rectangle(cr_, x, y, width, height);
    cairo_fill(cr_);
  }

  void flow(Lines text, double x, const Colour& colour) {
    while (!text.is_done() && !is_full_) {
      if (text.next_height() > room() && !next_page()) return;
      ink(colour);
      y_ = text.draw(cr_, x, y_, room());
    }
  }

  // --- blocks ---
  void print(const Heading& b) {
    const HeadingStyle& style = kHeadings[static_cast<std::size_t>(b.level - 1)];
    if (y_ > kTop) y_ += style.before;
    need(style.size * 5);  // never alone at the end of a page
    if (is_full_) return;
    mark(b);
    flow(lines(b.text, kTextWidth, {.size = style.size, .is_bold = true}), kMarginX, kInk);
    if (b.level == 2) rule(kMarginX, y_ + 1.5, kTextWidth);
    y_ += style.after;
  }

  /// In the outline that readers show beside the pages.
  void mark(const Heading& b) {
    if (cairo_surface_get_type(surface_) != CAIRO_SURFACE_TYPE_PDF) return;
    const int parent = b.level == 3 && last_section_ > 0 ? last_section_ : CAIRO_PDF_OUTLINE_ROOT;
    const std::string place = fmt::format("page={} pos=[0 {:.1f}]", page_, y_ - 4);
    const int id = cairo_pdf_surface_add_outline(surface_, parent, b.text.c_str(), place.c_str(),
                                                 static_cast<cairo_pdf_outline_flags_t>(0));
    if (b.level < 3) last_section_ = id;
  }

  void print(const Paragraph& b) {
    flow(lines(b.text, kTextWidth, {}), kMarginX, colours(b.tone).text);
    y_ += 6;
  }

  void print(const Bullets& b) {
    for (const std::string& item : b.items) {
      Lines text = lines(item, kTextWidth - 14, {});
      need(text.next_height());
      if (is_full_) return;
      put("•", kMarginX + 3, y_, 10, {.colour = kFaint});
      flow(std::move(text), kMarginX + 14, kInk);
      y_ += 2;
    }
    y_ += 4;
  }

  void print(const Preformatted& b) {
    Lines text = lines(b.text, kTextWidth - 16, {.family = kCodeFamily, .size = kCodeSize});
    while (!text.is_done() && !is_full_) {
      if (text.next_height() + 12 > room() && !next_page()) return;
      const double height = text.fitting_height(room() - 12);
      box(kMarginX, y_, kTextWidth, height + 12, kShade);
      ink(kInk);
      text.draw(cr_, kMarginX + 8, y_ + 6, height);
      y_ += height + 12;
    }
    y_ += 8;
  }

  void print(const Banner& b) {
    const Style word_style{.size = 15, .is_bold = true, .colour = kWhite};
    Lines word = lines(b.word, kTextWidth - 28, word_style);
    Lines text = lines(b.text, kTextWidth - 28, {.size = 10});
    const double height = word.rest_height() + text.rest_height() + 22;
    need(std::min(height, kTextEnd - kTop));
    if (is_full_) return;
    box(kMarginX, y_, kTextWidth, std::min(height, room()), colours(b.tone).band);
    ink(kWhite);
    const double below = word.draw(cr_, kMarginX + 14, y_ + 10, room() - 20);
    text.draw(cr_, kMarginX + 14, below + 2, kTextEnd - below - 12);
    y_ += std::min(height, room()) + 12;
  }

  // --- tables ---
  using Cells = std::vector<Lines>;

  Cells cells_of(const Table& table, const std::vector<std::string>& texts, bool is_head) {
    Cells out;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool is_code = table.columns[i].is_code && !is_head;
      out.push_back(lines(i < texts.size() ? std::string_view(texts[i]) : "",
                          widths_[i] - 2 * kCellPadX,
                          {.family = is_code ? kCodeFamily : kBodyFamily,
                           .size = is_code ? kCellSize - 0.6 : kCellSize,
                           .is_bold = is_head}));
    }
    return out;
  }

  static double height_of(const Cells& cells, double room) {
    double most = 0;
    for (const Lines& cell : cells)
      most = std::max(most, cell.fitting_height(room));
    return most + 2 * kCellPadY;
  }

  /// As much of the row as fits here.
  void draw_cells(Cells& cells, const Colour* background) {
    const double height = height_of(cells, room() - 2 * kCellPadY);
    if (background != nullptr) box(kMarginX, y_, kTextWidth, height, *background);
    double x = kMarginX;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ink(kInk);
      cells[i].draw(cr_, x + kCellPadX, y_ + kCellPadY, height - 2 * kCellPadY);
      x += widths_[i];
    }
    y_ += height;
    rule(kMarginX, y_, kTextWidth);
  }

  void draw_head(const Table& table) {
    std::vector<std::string> titles;
    for (const Column& column : table.columns)
      titles.push_back(column.title);
    Cells head = cells_of(table, titles, true);
    draw_cells(head, &kShade);
  }

  void draw_row(const Table& table, const std::vector<std::string>& texts) {
    Cells cells = cells_of(table, texts, false);
    const auto is_done = [&] {
      return std::ranges::all_of(cells, [](const Lines& cell) { return cell.is_done(); });
    };
    const double whole = height_of(cells, kPageHeight);
    if (whole > room() && whole < (kTextEnd - kTop) * 0.6) turn_page(table);
    do {
      if (room() < kCellSize * 2 + 2 * kCellPadY) turn_page(table);
      if (is_full_) return;
      draw_cells(cells, nullptr);
    } while (!is_done());
  }

  void turn_page(const Table& table) {
    if (next_page()) draw_head(table);
  }

  /// What a word of this column needs, so that names are not broken where it can be avoided.
  double least_width(const Table& table, std::size_t column) {
    constexpr std::size_t kRowsLookedAt = 300;
    constexpr double kMost = 0.4;
    const bool is_code = table.columns[column].is_code;
    const Style style{.family = is_code ? kCodeFamily : kBodyFamily,
                      .size = is_code ? kCellSize - 0.6 : kCellSize};
    std::string longest = table.columns[column].title + "m";  // it is bold
    for (std::size_t row = 0; row < std::min(table.rows.size(), kRowsLookedAt); ++row) {
      if (column >= table.rows[row].size()) continue;
      std::istringstream words(table.rows[row][column]);
      for (std::string word; words >> word;)
        if (word.size() > longest.size()) longest = word;
    }
    return std::min(width_of(longest, style) + 2 * kCellPadX + 1, kTextWidth * kMost);
  }

  /// By weight; a column that would be too narrow for its words takes from the others.
  void share_width(const Table& table) {
    const std::size_t count = table.columns.size();
    widths_.assign(count, 0);
    std::vector<double> least(count);
    for (std::size_t i = 0; i < count; ++i)
      least[i] = std::min(least_width(table, i), kTextWidth / static_cast<double>(count) * 2);
    std::vector<bool> is_fixed(count, false);
    for (std::size_t round = 0; round < count; ++round) {
      double room = kTextWidth, weights = 0;
      for (std::size_t i = 0; i < count; ++i)
        is_fixed[i] ? void(room -= widths_[i]) : void(weights += table.columns[i].weight);
      bool is_changed = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (is_fixed[i]) continue;
        widths_[i] = std::max(room, 0.0) * table.columns[i].weight / weights;
        if (widths_[i] >= least[i]) continue;
        widths_[i] = least[i];
        is_fixed[i] = is_changed = true;
      }
      if (!is_changed) break;
    }
    double sum = 0;
    for (const double width : widths_)
      sum += width;
    // What is too much is taken from the widest, so that narrow columns keep their words whole.
    constexpr double kStep = 2;
    for (double excess = sum - kTextWidth; excess > 0; excess -= kStep)
      *std::ranges::max_element(widths_) -= std::min(excess, kStep);
    if (sum < kTextWidth)
      for (double& width : widths_)
        width *= kTextWidth / sum;
  }

  void print(const Table& b) {
    if (b.columns.empty()) return;
    share_width(b);
    need(60);
    if (is_full_) return;
    draw_head(b);
    for (const auto& row : b.rows) {
      draw_row(b, row);
      if (is_full_) return;
    }
    y_ += 10;
  }

  const Document& document_;
  const Fonts& fonts_;
  cairo_surface_t* surface_;
  cairo_t* cr_;
  std::unique_ptr<PangoContext, Unref> context_;
  int of_pages_;
  int page_ = 0, last_section_ = 0;
  double y_ = kTop;
  bool is_full_ = false;
  std::vector<double> widths_;
};

}  // namespace

int draw(const Document& document, const Fonts& fonts, cairo_surface_t* surface, int of_pages) {
  return Press(document, fonts, surface, of_pages).run();
}

}  // namespace gh::pdf
