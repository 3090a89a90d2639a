#include "wire/xml.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <expat.h>
#include <fmt/format.h>

#include "base/text.h"

namespace gh::wire {
namespace {

constexpr std::string_view kEncoding = "UTF-8";

bool is_utf8_name(std::string_view encoding) {
  return std::ranges::equal(encoding, kEncoding, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

class Reader {
 public:
  Reader(std::string_view name, const XmlEvents& events, XmlLimits limits)
      : name_(name), events_(events), limits_(limits) {
    GH_ASSERT(parser_ != nullptr);  // fails only when out of memory
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
    XML_SetXmlDeclHandler(parser_.get(), on_declaration);
  }

  /// All in one call: a long token in pieces would be read again with each of them.
  Status read(std::string_view text) {
    const XML_Status done =
        XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
    if (!refusal_.empty()) return fail(Code::xml_invalid, std::move(refusal_));
    if (done == XML_STATUS_OK) return {};
    return fail(Code::xml_invalid, here(XML_ErrorString(XML_GetErrorCode(parser_.get()))));
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  static Reader& self(void* data) { return *static_cast<Reader*>(data); }

  static void XMLCALL on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
    self(data).start(name, attributes);
  }
  static void XMLCALL on_end(void* data, const XML_Char* name) { self(data).end(name); }
  static void XMLCALL on_text(void* data, const XML_Char* text, int length) {
    const Reader& reader = self(data);
    if (reader.goes_on() && reader.events_.text)
      reader.events_.text({text, static_cast<std::size_t>(length)});
  }
  static void XMLCALL on_doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*,
                                 int) {
    self(data).refuse("a document type declaration (DOCTYPE) is not allowed");
  }
  static void XMLCALL on_declaration(void* data, const XML_Char*, const XML_Char* encoding, int) {
    if (encoding != nullptr && !is_utf8_name(encoding))
      self(data).refuse(fmt::format("the encoding is '{}', not UTF-8",
                                    printable(std::string_view(encoding), 60)));
  }

  bool goes_on() const { return refusal_.empty(); }

  void start(std::string_view name, const XML_Char** attributes) {
    if (!goes_on()) return;
    if (++depth_ > limits_.max_depth)
      return refuse(fmt::format("nested deeper than {} levels", limits_.max_depth));
    attributes_.clear();
    bool is_long = name.size() > limits_.max_name;
    for (; *attributes != nullptr; attributes += 2) {
      attributes_.push_back({attributes[0], attributes[1]});
      is_long = is_long || attributes_.back().name.size() > limits_.max_name;
    }
    if (is_long) return refuse(fmt::format("a name of more than {} bytes", limits_.max_name));
    if (attributes_.size() > limits_.max_attributes)
      return refuse(fmt::format("more than {} attributes", limits_.max_attributes));
    if (events_.start) events_.start(name, attributes_);
  }

  void end(std::string_view name) {
    if (!goes_on()) return;
    --depth_;
    if (events_.end) events_.end(name);
  }

  void refuse(std::string_view what) {
    refusal_ = here(what);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  std::string here(std::string_view what) const {
    return fmt::format("{}:{}:{}: {}", name_, XML_GetCurrentLineNumber(parser_.get()),
                       XML_GetCurrentColumnNumber(parser_.get()) + 1, what);
  }

  std::string_view name_;
  const XmlEvents& events_;
  XmlLimits limits_;
  std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate(kEncoding.data())};
  std::vector<XmlAttribute> attributes_{};
  std::size_t depth_ = 0;
  std::string refusal_{};  // the first; empty: none
};

}  // namespace

std::string_view value_of(XmlAttributes attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &XmlAttribute::name);
  return found == attributes.end() ? std::string_view() : found->value;
}

Status read_xml(std::string_view text, std::string_view name, const XmlEvents& events,
                XmlLimits limits) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();  // what the library takes
  if (const std::size_t most = std::min(limits.max_bytes, kMost); text.size() > most)
    return fail(Code::document_too_large,
                fmt::format("{}:1:1: {} bytes, at most {}", name, text.size(), most));
  // The library would take it for UTF-16, whatever it is told.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    const std::string_view before = text.substr(0, nul);
    return fail(Code::xml_invalid,
                fmt::format("{}:{}:{}: a NUL byte", name, 1 + std::ranges::count(before, '\n'),
                            nul - (before.rfind('\n') + 1) + 1));  // npos + 1 is 0
  }
  return Reader(name, events, limits).read(text);
}

}  // namespace gh::wire
