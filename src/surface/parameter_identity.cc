#include "surface/parameter_identity.h"

#include <algorithm>

#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

/// Writes one parameter; keys come in their order.
class Text {
 public:
  Text(std::string& out, Nulls nulls) : out_(out), nulls_(nulls) { out_ += '{'; }

  Text& add(std::string_view key, const Value& value) {
    if (value.is_null() && nulls_ == Nulls::dropped) return *this;
    name(key);
    if (value.is_null())
      out_ += "null";
    else
      wire::append_identity_json(out_, value, kNotIdentity);
    return *this;
  }
  Text& add_text(std::string_view key, std::string_view text) {
    name(key);
    wire::append_spaced_json(out_, text);
    return *this;
  }
  Text& add_raw(std::string_view key, std::string_view json) {
    name(key);
    out_ += json;
    return *this;
  }
  void end() { out_ += '}'; }

 private:
  void name(std::string_view key) {
    out_ += is_first_ ? "\"" : ", \"";
    is_first_ = false;
    out_ += key;
    out_ += "\": ";
  }

  std::string& out_;
  Nulls nulls_;
  bool is_first_ = true;
};

void append(std::string& out, const Parameter& p, Nulls nulls) {
  Text text(out, nulls);
  text.add("default", p.fallback)
      .add("description", p.description)
      .add("enum", p.enumeration)
      .add("format", p.format)
      .add("maximum", p.maximum)
      .add("minimum", p.minimum)
      .add_text("name", p.name)
      .add_raw("required", p.required ? "true" : "false")
      .add_raw("risk_hints", "[]");
  if (p.type.empty())
    text.add("type", Value());
  else
    text.add_text("type", p.type);
  text.end();
}

}  // namespace

void append_identity(std::string& out, const std::vector<Parameter>& parameters, Nulls nulls) {
  std::string texts;
  std::vector<std::size_t> ends;
  for (const Parameter& p : parameters) {
    append(texts, p, nulls);
    ends.push_back(texts.size());
  }
  std::vector<std::string_view> items;
  for (std::size_t i = 0, from = 0; i < ends.size(); from = ends[i++])
    items.push_back(std::string_view(texts).substr(from, ends[i] - from));
  std::ranges::sort(items);
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    out += items[i];
  }
  out += ']';
}

}  // namespace gh::surface
