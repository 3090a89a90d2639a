#include <algorithm>
#include <array>
#include <atomic>
#include <unordered_map>
#include <utility>

#include "base/in_parts.h"
#include "policy/redact.h"

namespace gh::policy {
namespace {

constexpr std::string_view kSensitiveField = "sensitive_field";
constexpr std::array<std::string_view, 15> kSensitiveKeys{
    "apikey",        "api_key",     "authorization", "bearer",   "clientsecret",
    "client_secret", "credential",  "credentials",   "password", "passwd",
    "privatekey",    "private_key", "pwd",           "secret",   "token"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t kLongestKey = [] {
  std::size_t out = 0;
  for (const std::string_view key : kSensitiveKeys)
    out = std::max(out, key.size());
  return out;
}();

bool is_sensitive_key(std::string_view key) {
  std::array<char, kLongestKey> plain;
  std::size_t size = 0;
  for (const char c : key) {
    if (!is_letter(c) && !is_digit(c)) continue;
    if (size == plain.size()) return false;
    plain[size++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  const std::string_view name(plain.data(), size);
  return std::ranges::find(kSensitiveKeys, name) != kSensitiveKeys.end();
}

bool is_identifier(std::string_view key) {
  return !key.empty() && is_letter(key[0]) &&
         std::ranges::all_of(key, [](char c) { return is_letter(c) || is_digit(c); });
}

constexpr std::string_view kItem = "[]";

/// True for what masking would not change. Most documents hold no secret, and are not copied.
class CleanScan {
 public:
  bool run(const Value& root) && {
    constexpr int kLevels = 3;                // of a report: members, their rows
    constexpr std::size_t kFew = 500;         // values are not worth a thread
    std::vector<Item> level{{&root, false}};  // what is left to look at, side by side
    for (int depth = 0; depth < kLevels; ++depth) {
      open_.clear();
      for (const auto& [value, sensitive] : level)
        if (!is_clean(*value, sensitive)) return false;
      level.swap(open_);
    }
    std::atomic<bool> clean = true;
    in_parts(level.size(), kFew, [&](std::size_t from, std::size_t to) {
      CleanScan part;
      for (std::size_t i = from; i < to && clean; ++i)
        if (!part.all_below(level[i])) clean = false;
    });
    return clean;
  }

 private:
  using Item = std::pair<const Value*, bool>;  // whether it stands below a sensitive key

  bool all_below(const Item& top) {
    open_.assign(1, top);
    while (!open_.empty()) {
      const auto [value, sensitive] = open_.back();
      open_.pop_back();
      if (!is_clean(*value, sensitive)) return false;
    }
    return true;
  }

  bool is_clean(const Value& v, bool sensitive) {
    if (const std::string* text = v.as_string())
      return text->empty() || is_redaction_marker(*text) || (!sensitive && holds_no_secret(*text));
    if (const List* list = v.as_list())
      for (const Value& item : *list)
        open_.emplace_back(&item, sensitive);
    if (const Map* map = v.as_map())
      for (const auto& [key, value] : map->entries()) {
        const auto known = keys_.find(key);
        const KeyKind kind = known != keys_.end() ? known->second : kind_of(key);
        if (kind == KeyKind::secret) return false;
        open_.emplace_back(&value, sensitive || kind == KeyKind::sensitive);
      }
    return true;
  }

  enum class KeyKind : std::uint8_t { plain, sensitive, secret };

  /// Keys repeat, so each is looked at once.
  KeyKind kind_of(std::string_view key) {
    const KeyKind kind = !holds_no_secret(key)   ? KeyKind::secret
                         : is_sensitive_key(key) ? KeyKind::sensitive
                                                 : KeyKind::plain;
    keys_.emplace(key, kind);
    return kind;
  }

  std::vector<Item> open_;
  std::unordered_map<std::string_view, KeyKind> keys_;
};

/// Copies a document with its strings masked; the nesting lives in `open_`.
class ValueRedactor {
 public:
  RedactedValue run(const Value& root) && {
    begin(root, "", false);
    while (!open_.empty())
      step();
    return std::move(out_);
  }

 private:
  struct Open {
    const Value* source;
    std::string_view step;  // its part of the path
    bool sensitive;
    std::size_t next = 0;
    List items{};
    std::vector<std::pair<std::string, Value>> entries{};
    std::string key{};
  };

  void begin(const Value& v, std::string_view step, bool sensitive) {
    if (v.as_list() != nullptr || v.as_map() != nullptr) {
      open_.push_back({&v, step, sensitive});
    } else if (const std::string* text = v.as_string()) {
      add(Value(masked_text(*text, step, sensitive)));
    } else {
      add(v);
    }
  }

  void step() {
    Open& top = open_.back();
    const Map* map = top.source->as_map();
    const std::size_t size = map != nullptr ? map->size() : top.source->as_list()->size();
    if (top.next == size) {
      Open done = std::move(top);
      open_.pop_back();
      return add(map != nullptr ? Value(Map(std::move(done.entries)))
                                : Value(std::move(done.items)));
    }
    const std::size_t at = top.next++;
    if (map == nullptr) return begin((*top.source->as_list())[at], kItem, top.sensitive);
    const auto& [key, value] = map->entries()[at];
    begin(value, enter_key(top, key), top.sensitive || is_sensitive_key(key));
  }

  /// Masks the key as well; its part of the path of what stands below it.
  std::string_view enter_key(Open& top, const std::string& key) {
    Redaction r = redact(key);
    const bool is_masked = !r.kinds.empty();
    const std::string_view step = is_masked            ? "<redacted>"
                                  : is_identifier(key) ? std::string_view(key)
                                                       : "<key>";
    if (is_masked) count(r.kinds, step);
    top.key = std::move(r.text);
    return step;
  }

  void add(Value v) {
    if (open_.empty()) {
      out_.value = std::move(v);
    } else if (Open& top = open_.back(); top.source->as_list() != nullptr) {
      top.items.push_back(std::move(v));
    } else {
      top.entries.emplace_back(std::move(top.key), std::move(v));
    }
  }

  std::string masked_text(const std::string& text, std::string_view step, bool sensitive) {
    if (text.empty() || is_redaction_marker(text)) return text;
    if (!sensitive && holds_no_secret(text)) return text;
    Redaction r = redact(text);
    if (sensitive && r.kinds.empty())
      r = {redaction_marker(kSensitiveField), {{std::string(kSensitiveField), 1}}};
    count(r.kinds, step);
    return std::move(r.text);
  }

  std::string path_to(std::string_view last) const {
    std::string out;
    const auto add_step = [&](std::string_view step) {
      if (!out.empty() && !step.empty() && step != kItem) out += '.';
      out += step;
    };
    for (const Open& open : open_)
      add_step(open.step);
    add_step(last);
    return out.empty() ? "<root>" : out;
  }

  void count(const KindCounts& kinds, std::string_view step) {
    if (kinds.empty()) return;
    const std::string path = path_to(step);
    for (const auto& [kind, times] : kinds) {
      out_.kinds[kind] += times;
      out_.paths[path][kind] += times;
    }
  }

  std::vector<Open> open_;
  RedactedValue out_;
};

Map audit_row(const std::string& path, const KindCounts& kinds) {
  std::int64_t count = 0;
  List names;
  for (const auto& [kind, times] : kinds) {
    count += times;
    names.push_back(kind);
  }
  return {{"path", path}, {"count", count}, {"kinds", std::move(names)}};
}

}  // namespace

RedactedValue redact_document(Value value) {
  if (CleanScan().run(value)) return {std::move(value), {}, {}};
  return ValueRedactor().run(value);
}

Map privacy_audit(const RedactedValue& redacted, std::vector<std::string> output_surfaces,
                  bool matched_legacy_fingerprint) {
  std::int64_t total = 0;
  for (const auto& [kind, times] : redacted.kinds)
    total += times;
  List paths, surfaces;
  for (const auto& [path, kinds] : redacted.paths)
    paths.push_back(audit_row(path, kinds));
  std::ranges::sort(output_surfaces);
  for (std::string& surface : output_surfaces)
    surfaces.push_back(std::move(surface));
  List notes{
      "Secrets of the known kinds were masked, as well as patterns can know them, before anything "
      "was written.",
      "redacted_paths names places, counts and kinds; never a value, nor a hash of one."};
  if (matched_legacy_fingerprint)
    notes.push_back(
        "A baseline entry was matched by its fingerprint from before masking; save the baseline "
        "again to be rid of that.");
  return {{"enabled", true},
          {"rules_version", kRedactionRules},
          {"sensitive_field_inventory_version", kSensitiveFieldInventory},
          {"redacted_occurrence_count", total},
          {"redacted_paths", std::move(paths)},
          {"output_surfaces", std::move(surfaces)},
          {"notes", std::move(notes)}};
}

}  // namespace gh::policy
