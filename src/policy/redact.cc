#include "policy/redact.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

namespace gh::policy {
namespace {

// Pieces of the labelled patterns. A quote may itself be escaped for JSON, HTML or a URL.
#define GH_QUOTE        "(?:\\\\?[\"']|&quot;|&#0?3[49];|%2[27])?"
#define GH_LABEL(words) "(?i)(?:" words ")" GH_QUOTE "\\s*[:=]\\s*" GH_QUOTE

/// A kind of secret. With a group in the pattern only the group is masked. The pattern runs only
/// on text that holds one of the hints (lower case), so most kinds are never compiled.
struct Kind {
  std::string_view name;
  const char* pattern;
  std::array<std::string_view, 8> hints;
};

// clang-format off
constexpr Kind kKinds[] = {
    // A letter or digit to the left of sk- belongs to a longer word; RE2 has no look-behind.
    {"openai_api_key", R"((?:^|[^A-Za-z0-9])(sk-[A-Za-z0-9_-]{16,}))", {"sk-"}},
    {"aws_access_key", R"(\b(?:AKIA|ASIA|AROA|AGPA|ANPA|AIDA|AIPA)[0-9A-Z]{16}\b)",
     {"akia", "asia", "aroa", "agpa", "anpa", "aida", "aipa"}},
    {"github_token", R"(\b(?:gh[opusr]_[A-Za-z0-9_]{20,}|github_pat_[A-Za-z0-9_]{20,})\b)",
     {"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"}},
    {"stripe_key", R"(\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}\b)", {"k_live_", "k_test_"}},
    {"stripe_webhook_secret", R"(\bwhsec_[A-Za-z0-9]{16,}\b)", {"whsec_"}},
    {"slack_token", R"(\bxox[aboprs]-[A-Za-z0-9-]{10,}\b)", {"xox"}},
    {"jwt", R"(\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\b)", {"eyj"}},
    {"database_url",
     R"(\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|rediss|mssql|sqlserver|clickhouse)://[^:\s/@]+:[^@\s]+@[^ \t\r\n'"]+)",
     {"://"}},
    {"bearer_token", R"((?i)\bbearer\s+[A-Za-z0-9._~+/=-]{12,}\b)", {"bearer"}},
    {"labeled_secret_value",
     GH_LABEL("password|secret|token|api[_-]?key") "([A-Za-z0-9_./+=-]{20,})",
     {"password", "secret", "token", "api"}},
    {"pem_private_key",
     R"((?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z))",
     {"private key-----"}},
    {"url_userinfo", R"(://([^\s/@:]*:[^\s/@]+)@)", {"://"}},
    {"basic_auth_header", R"((?i)\bbasic\s+[A-Za-z0-9+/]{12,}={0,2})", {"basic"}},
    {"aws_secret_key", GH_LABEL("aws_secret_access_key") "([A-Za-z0-9/+=]{40})",
     {"aws_secret_access_key"}},
    {"google_api_key", R"(\bAIza[0-9A-Za-z_-]{35})", {"aiza"}},
    {"google_oauth_secret", R"(\bGOCSPX-[A-Za-z0-9_-]{28})", {"gocspx-"}},
    {"azure_account_key", R"(\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,}))",
     {"accountkey=", "sharedaccesskey="}},
    {"azure_sas", R"((?:[?&]|&amp;)sig=([A-Za-z0-9%/+=]{20,}))", {"sig="}},
    {"gitlab_token", R"(\bgl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-[0-9A-Za-z_-]{20,})",
     {"glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glagent-"}},
    {"npm_token", R"(\bnpm_[A-Za-z0-9]{36}\b)", {"npm_"}},
    {"pypi_token", R"(\bpypi-[A-Za-z0-9_-]{50,})", {"pypi-"}},
    {"docker_token", R"(\bdckr_pat_[A-Za-z0-9_-]{20,})", {"dckr_pat_"}},
    {"sendgrid_key", R"(\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})", {"sg."}},
    {"mailgun_key", R"(\bkey-[0-9a-f]{32}\b)", {"key-"}},
    {"twilio_key", R"(\bSK[0-9a-f]{32}\b)", {"sk"}},
    {"slack_webhook", R"(/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,})", {"/services/t"}},
    {"discord_webhook", R"(/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,})", {"/api/webhooks/"}},
    {"telegram_token", R"(\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33})", {":aa"}},
    {"huggingface_token", R"(\bhf_[A-Za-z0-9]{30,}\b)", {"hf_"}},
    {"digitalocean_token", R"(\bdo[opr]_v1_[0-9a-f]{64}\b)", {"_v1_"}},
    {"shopify_token", R"(\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b)",
     {"shpat_", "shpca_", "shppa_", "shpss_"}},
    {"vault_token", R"(\bhv[sbr]\.[A-Za-z0-9_-]{24,})", {"hvs.", "hvb.", "hvr."}},
    {"grafana_token", R"(\bglsa_[A-Za-z0-9]{32}_[0-9a-f]{8}\b)", {"glsa_"}},
    {"age_secret_key", R"(\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b)", {"age-secret-key-1"}},
};
// clang-format on
#undef GH_LABEL
#undef GH_QUOTE

constexpr std::string_view kMarkerStart = "[REDACTED:";

template <std::size_t Row>
const RE2& regex_of_row() {
  // Latin-1: the text may be any bytes, and no byte may hide a secret by being invalid UTF-8.
  static const RE2 regex(kKinds[Row].pattern, RE2::Latin1);
  return regex;
}

template <std::size_t... Rows>
constexpr auto regex_functions(std::index_sequence<Rows...>) {
  return std::array{&regex_of_row<Rows>...};
}
constexpr auto kRegexes = regex_functions(std::make_index_sequence<std::size(kKinds)>());

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

bool is_marker(std::string_view text) {
  return text.starts_with(kMarkerStart) && text.find(']') == text.size() - 1;
}

/// True for what an earlier run has left behind: a marker, or a URL whose login is one.
bool is_already_masked(std::string_view secret) {
  const std::size_t scheme = secret.find("://");
  if (scheme == std::string_view::npos) return is_marker(secret);
  const std::string_view rest = secret.substr(scheme + 3);
  return is_marker(rest.substr(0, rest.find('@')));
}

bool has_hint(const Kind& kind, const std::string& lower_text) {
  return std::ranges::any_of(kind.hints, [&](std::string_view hint) {
    return !hint.empty() && lower_text.find(hint) != std::string::npos;
  });
}

/// Masks every match of one kind; returns how many.
int mask_kind(std::string& text, std::size_t row) {
  const RE2& regex = kRegexes[row]();
  const int groups = 1 + regex.NumberOfCapturingGroups();
  std::array<re2::StringPiece, 2> found;
  std::string out;
  std::size_t copied = 0, from = 0;
  int count = 0;
  while (from < text.size() &&
         regex.Match(text, from, text.size(), RE2::UNANCHORED, found.data(), groups)) {
    const re2::StringPiece& secret = found[static_cast<std::size_t>(groups - 1)];
    const auto start = static_cast<std::size_t>(secret.data() - text.data());
    from = start + secret.size();
    if (is_already_masked({secret.data(), secret.size()})) continue;
    out.append(text, copied, start - copied);
    fmt::format_to(std::back_inserter(out), "{}{}]", kMarkerStart, kKinds[row].name);
    copied = from;
    ++count;
  }
  if (count == 0) return 0;
  out.append(text, copied);
  text = std::move(out);
  return count;
}

Redaction mask_patterns(std::string_view source) {
  Redaction out{std::string(source), {}};
  const std::string lower_text = lowered(source);
  for (std::size_t row = 0; row < std::size(kKinds); ++row) {
    if (!has_hint(kKinds[row], lower_text)) continue;
    if (const int count = mask_kind(out.text, row); count > 0)
      out.kinds[std::string(kKinds[row].name)] += count;
  }
  return out;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// %XX decoded where the result is printable; control characters stay encoded.
std::string percent_decoded(std::string_view word) {
  std::string out;
  for (std::size_t at = 0; at < word.size(); ++at) {
    unsigned byte = 0;
    const char* const digits = word.data() + at + 1;
    const bool encoded = word[at] == '%' && at + 2 < word.size() &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    const bool decodes = encoded && byte > 0x20 && byte != 0x7F;
    out += decodes ? static_cast<char>(byte) : word[at];
    if (decodes) at += 2;
  }
  return out;
}

/// A word whose decoded form holds a secret is replaced by the masked decoded form.
void mask_percent_encoded(Redaction& r) {
  if (r.text.find('%') == std::string::npos) return;
  std::string out;
  for (std::size_t at = 0; at < r.text.size();) {
    const auto rest = std::string_view(r.text).substr(at);
    const auto length =
        static_cast<std::size_t>(std::ranges::find_if(rest, is_blank) - rest.begin());
    const std::string_view word = rest.substr(0, length);
    Redaction decoded{std::string(word), {}};
    if (word.find('%') != std::string_view::npos) decoded = mask_patterns(percent_decoded(word));
    out += decoded.kinds.empty() ? word : std::string_view(decoded.text);
    for (const auto& [kind, count] : decoded.kinds)
      r.kinds[kind] += count;
    at += length;
    while (at < r.text.size() && is_blank(r.text[at]))
      out += r.text[at++];
  }
  r.text = std::move(out);
}

constexpr std::array<std::string_view, 15> kSensitiveKeys{
    "apikey",        "api_key",     "authorization", "bearer",   "clientsecret",
    "client_secret", "credential",  "credentials",   "password", "passwd",
    "privatekey",    "private_key", "pwd",           "secret",   "token"};

bool is_sensitive_key(std::string_view key) {
  std::string plain = lowered(key);
  std::erase_if(plain, [](char c) {
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  });
  return std::ranges::find(kSensitiveKeys, plain) != kSensitiveKeys.end();
}

/// Copies a document with its strings masked; the nesting lives in `open_`.
class ValueRedactor {
 public:
  RedactedValue run(const Value& root) && {
    begin(root, false);
    while (!open_.empty())
      step();
    return std::move(out_);
  }

 private:
  struct Open {
    const Value* source;
    bool sensitive;
    std::size_t next = 0;
    List items{};
    std::vector<std::pair<std::string, Value>> entries{};
    std::string key{};
  };

  void begin(const Value& v, bool sensitive) {
    if (v.as_list() != nullptr || v.as_map() != nullptr) {
      open_.push_back({&v, sensitive});
    } else if (const std::string* text = v.as_string()) {
      add(Value(masked(*text, sensitive)));
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
    if (map == nullptr) return begin((*top.source->as_list())[at], top.sensitive);
    const auto& [key, value] = map->entries()[at];
    top.key = kMarkerStart;  // what is masked now is the key itself
    top.key = masked(key, false);
    begin(value, top.sensitive || is_sensitive_key(key));
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

  std::string masked(const std::string& text, bool sensitive) {
    if (is_marker(text)) return text;
    Redaction r = redact(text);
    if (sensitive && r.kinds.empty() && !text.empty()) {
      r.text = fmt::format("{}sensitive_field]", kMarkerStart);
      r.kinds["sensitive_field"] = 1;
    }
    if (!r.kinds.empty()) note(r.kinds);
    return std::move(r.text);
  }

  void note(const std::map<std::string, int>& kinds) {
    auto& there = out_.paths[path()];
    for (const auto& [kind, count] : kinds) {
      out_.kinds[kind] += count;
      there[kind] += count;
    }
  }

  static std::string shown_key(std::string_view key) {
    if (key.find(kMarkerStart) != std::string_view::npos) return "<redacted>";
    const bool is_identifier =
        !key.empty() && !(key[0] >= '0' && key[0] <= '9') && std::ranges::all_of(key, [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '_';
        });
    return is_identifier ? std::string(key) : "<key>";
  }

  std::string path() const {
    std::string out;
    for (const Open& open : open_) {
      if (open.source->as_list() != nullptr) {
        out += "[]";
      } else {
        if (!out.empty()) out += '.';
        out += shown_key(open.key);
      }
    }
    return out;
  }

  std::vector<Open> open_;
  RedactedValue out_;
};

}  // namespace

/// What stands beside a mask may become readable as another secret, so it is looked at again.
Redaction redact(std::string_view text) {
  constexpr int kMaxRounds = 8;
  Redaction out = mask_patterns(text);
  mask_percent_encoded(out);
  for (int round = 1; round < kMaxRounds && !out.kinds.empty(); ++round) {
    Redaction again = mask_patterns(out.text);
    mask_percent_encoded(again);
    if (again.text == out.text) break;
    out.text = std::move(again.text);
    for (const auto& [kind, count] : again.kinds)
      out.kinds[kind] += count;
  }
  return out;
}

std::vector<std::string_view> secret_kinds(std::string_view text) {
  const std::string lower_text = lowered(text);
  std::vector<std::string_view> out;
  for (std::size_t row = 0; row < std::size(kKinds); ++row)
    if (has_hint(kKinds[row], lower_text) &&
        RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kRegexes[row]()))
      out.push_back(kKinds[row].name);
  return out;
}

RedactedValue redact_document(const Value& value) { return ValueRedactor().run(value); }

}  // namespace gh::policy
