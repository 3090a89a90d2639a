#pragma once
// XML through expat, one element after the other, without a tree. Only what a document itself says
// is read: a document type declaration, and with it every entity of its own, is refused.
#include <functional>
#include <span>
#include <string_view>

#include "base/error.h"

namespace gh::wire {

struct XmlLimits {
  std::size_t max_bytes = 25u << 20;
  std::size_t max_depth = 64;
  std::size_t max_attributes = 64;  // of one element
  std::size_t max_name = 256;       // bytes of the name of an element or attribute
};

struct XmlAttribute {
  std::string_view name, value;
};
/// Valid only during the call.
using XmlAttributes = std::span<const XmlAttribute>;
/// The value of the attribute; empty when there is none.
std::string_view value_of(XmlAttributes, std::string_view name);

/// Called in the order of the document; the views are valid only during the call. A text may come
/// in pieces.
struct XmlEvents {
  std::function<void(std::string_view element, XmlAttributes)> start{};
  std::function<void(std::string_view element)> end{};
  std::function<void(std::string_view text)> text{};
};

/// xml_invalid or document_too_large with "NAME:LINE:COLUMN: what". What was told before an error
/// is worth nothing. UTF-8 only.
Status read_xml(std::string_view text, std::string_view name, const XmlEvents&, XmlLimits = {});

}  // namespace gh::wire
