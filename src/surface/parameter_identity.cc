#include "surface/parameter_identity.h"

#include <algorithm>

#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

class Text {
 public:
  explicit Text(Nulls nulls) : nulls_(nulls) {}

  /// Keys come in their order.
  Text& add(std::string_view key, const Value& value) {
    if (value.is_null() && nulls_ == Nulls::dropped) return *this;
    out_ += out_.empty() ? "{\"" : ", \"";
    out_ += key;
    out_ += "\": ";
    wire::append_identity_json(out_, value, kNotIdentity);
    return *this;
  }
  std::string done() && { return std::move(out_ += '}'); }

 private:
  Nulls nulls_;
  std::string out_;
};

}  // namespace

std::string identity_text(const std::vector<Parameter>& parameters, Nulls nulls) {
  std::vector<std::string> items;
  items.reserve(parameters.size());
  for (const Parameter& p : parameters)
    items.push_back(std::move(Text(nulls)
                                  .add("default", p.fallback)
                                  .add("description", p.description)
                                  .add("enum", p.enumeration)
                                  .add("format", p.format)
                                  .add("maximum", p.maximum)
                                  .add("minimum", p.minimum)
                                  .add("name", p.name)
                                  .add("required", p.required)
                                  .add("risk_hints", List{})
                                  .add("type", p.type.empty() ? Value() : Value(p.type)))
                        .done());
  std::ranges::sort(items);
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += item;
  }
  return out + "]";
}

}  // namespace gh::surface
