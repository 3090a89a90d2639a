// gatehouse-pdf: a document as JSON on standard input, a PDF on standard output. It opens no file
// but its fonts, and knows no clock: the same document gives the same bytes.
#include <cerrno>
#include <memory>
#include <string>

#include <cairo-pdf.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "fonts.h"
#include "layout.h"
#include "pdf/document.h"
#include "sys/files.h"
#include "wire/json.h"

namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

cairo_status_t append(void* into, const unsigned char* bytes, unsigned size) {
  static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(bytes), size);
  return CAIRO_STATUS_SUCCESS;
}

cairo_status_t drop(void*, const unsigned char*, unsigned) { return CAIRO_STATUS_SUCCESS; }

Surface pdf_surface(cairo_write_func_t write, void* into) {
  return {
      cairo_pdf_surface_create_for_stream(write, into, gh::pdf::kPageWidth, gh::pdf::kPageHeight),
      cairo_surface_destroy};
}

void describe(cairo_surface_t* surface, const gh::pdf::Document& document) {
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_5);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, document.title.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "gatehouse");
  // Without this the library would ask the clock.
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                 document.created.empty() ? nullptr : document.created.c_str());
}

gh::Result<std::string> print(const std::string& input) {
  GH_TRY(value, gh::wire::read_json(input, "document", {gh::pdf::kMaxDocumentBytes, 16}));
  GH_TRY(document, gh::pdf::read_document(value));
  gh::pdf::Fonts fonts;
  if (!fonts.load())
    return gh::fail(gh::Code::io_error, "the fonts (Liberation 2) are not installed");
  const Surface trial = pdf_surface(drop, nullptr);
  const int pages = gh::pdf::draw(document, fonts, trial.get(), 0);
  std::string out;
  const Surface surface = pdf_surface(append, &out);
  describe(surface.get(), document);
  gh::pdf::draw(document, fonts, surface.get(), pages);
  cairo_surface_finish(surface.get());
  if (const cairo_status_t status = cairo_surface_status(surface.get()))
    return gh::fail(gh::Code::internal_error, cairo_status_to_string(status));
  return out;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

int main() {
  const auto input = gh::sys::read_stdin(gh::pdf::kMaxDocumentBytes);
  const auto printed = input ? print(*input) : tl::make_unexpected(input.error());
  if (printed) return write_all(STDOUT_FILENO, *printed) ? 0 : 4;
  write_all(STDERR_FILENO, gh::printable(printed.error().message, 400) + "\n");
  return gh::class_of(printed.error().code) == gh::CodeClass::input ? 3 : 4;
}
