#include "surface/parameter_identity.h"

#include <algorithm>

#include "wire/spaced_json.h"

namespace gh::surface {

using namespace std::string_view_literals;

/// The identity text of the list of the documents of parameters, without making them. Facts have
/// no members that are null, actions do: both are written at once.
class ToolHasher::Writing {
 public:
  ToolHashes hashes_of(const Tool& tool) {
    for (std::string* text : {&whole_, &brief_})
      text->clear();
    for (auto* ends : {&whole_ends_, &brief_ends_})
      ends->clear();
    for (const Parameter& p : tool.parameters)
      add(p);
    // Of {"input_schema": …, "parameters": […]}, without a copy of the schema.
    hashed_ = R"({"input_schema": )"sv;
    tool.input_schema.append_identity(hashed_);
    hashed_ += R"(, "parameters": )"sv;
    append_list(hashed_, whole_, whole_ends_);
    hashed_ += '}';
    ToolHashes out;
    out.schema = identity_hash(hashed_);
    hashed_.clear();
    append_list(hashed_, brief_, brief_ends_);
    out.parameters = identity_hash(hashed_);
    return out;
  }

 private:
  void add(const Parameter& p) {
    begin();
    member("\"default\": "sv, p.fallback);
    member("\"description\": "sv, p.description);
    member("\"enum\": "sv, p.enumeration);
    member("\"format\": "sv, p.format);
    member("\"maximum\": "sv, p.maximum);
    member("\"minimum\": "sv, p.minimum);
    text("\"name\": "sv, p.name);
    raw("\"required\": "sv, p.required ? "true"sv : "false"sv);
    raw("\"risk_hints\": "sv, "[]"sv);
    if (p.type.empty())
      null("\"type\": "sv);
    else
      text("\"type\": "sv, p.type);
    end();
  }

  void begin() {
    whole_ += '{';
    brief_ += '{';
    is_first_whole_ = is_first_brief_ = true;
  }
  void end() {
    whole_ += '}';
    brief_ += '}';
    whole_ends_.push_back(whole_.size());
    brief_ends_.push_back(brief_.size());
  }

  static void separate(std::string& out, bool& is_first) {
    if (!is_first) out += ", "sv;
    is_first = false;
  }
  void null(std::string_view key) {
    separate(whole_, is_first_whole_);
    whole_ += key;
    whole_ += "null"sv;
  }
  /// What was just written to the whole one is written to the other as well.
  template <class Write>
  void both(std::string_view key, Write write) {
    separate(whole_, is_first_whole_);
    const std::size_t at = whole_.size();
    whole_ += key;
    write(whole_);
    separate(brief_, is_first_brief_);
    brief_.append(whole_, at);
  }
  void raw(std::string_view key, std::string_view json) {
    both(key, [&](std::string& out) { out += json; });
  }
  void text(std::string_view key, std::string_view value) {
    both(key, [&](std::string& out) { wire::append_spaced_json(out, value); });
  }
  void member(std::string_view key, const Value& value) {
    if (value.is_null()) return null(key);
    both(key, [&](std::string& out) { wire::append_identity_json(out, value, kNotIdentity); });
  }

  void append_list(std::string& out, std::string_view texts, const std::vector<std::size_t>& ends) {
    items_.clear();
    for (std::size_t i = 0, from = 0; i < ends.size(); from = ends[i++])
      items_.push_back(texts.substr(from, ends[i] - from));
    std::ranges::sort(items_);
    out += '[';
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (i > 0) out += ", "sv;
      out += items_[i];
    }
    out += ']';
  }

  std::string whole_, brief_, hashed_;
  std::vector<std::string_view> items_;
  std::vector<std::size_t> whole_ends_, brief_ends_;
  bool is_first_whole_ = true, is_first_brief_ = true;
};

ToolHasher::ToolHasher() : writing_(std::make_unique<Writing>()) {}
ToolHasher::ToolHasher(ToolHasher&&) noexcept = default;
ToolHasher::~ToolHasher() = default;

ToolHashes ToolHasher::of(const Tool& tool) { return writing_->hashes_of(tool); }

ToolHashes hashes_of(const Tool& tool) {
  return tool.hashes.schema.empty() ? ToolHasher().of(tool) : tool.hashes;
}

}  // namespace gh::surface
