#include "policy/redact.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <re2/re2.h>

#include "policy/encoded_text.h"

namespace gh::policy {
namespace {

#define GH_LABEL(words) "(?i)(?:" words ")[\"']?\\s*[:=]\\s*[\"']?"

/// A kind of secret. With a group in the pattern only the group is masked. The pattern runs only
/// on text that holds one of the hints (lower case) with at least that many bytes from its start
/// on, so most kinds are never compiled.
struct Kind {
  std::string_view name;
  const char* pattern;
  std::array<std::string_view, 8> hints;
  std::size_t least = 0;
};

// clang-format off
constexpr Kind kKinds[] = {
    // A letter or digit to the left of sk- belongs to a longer word; RE2 has no look-behind.
    {"openai_api_key", R"((?:^|[^A-Za-z0-9])(sk-[A-Za-z0-9_-]{16,}))", {"sk-"}, 19},
    {"aws_access_key", R"(\b(?:AKIA|ASIA|AROA|AGPA|ANPA|AIDA|AIPA)[0-9A-Z]{16}\b)",
     {"akia", "asia", "aroa", "agpa", "anpa", "aida", "aipa"}, 20},
    {"github_token", R"(\b(?:gh[opusr]_[A-Za-z0-9_]{20,}|github_pat_[A-Za-z0-9_]{20,})\b)",
     {"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"}, 24},
    {"stripe_key", R"(\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}\b)", {"k_live_", "k_test_"}, 23},
    {"stripe_webhook_secret", R"(\bwhsec_[A-Za-z0-9]{16,}\b)", {"whsec_"}, 22},
    {"slack_token", R"(\bxox[aboprs]-[A-Za-z0-9-]{10,}\b)", {"xox"}, 15},
    {"jwt", R"(\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\b)", {"eyj"}},
    {"database_url",
     R"(\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|rediss|mssql|sqlserver|clickhouse)://[^:\s/@]+:[^@\s]+@[^ \t\r\n'"]+)",
     {"://"}},
    {"bearer_token", R"((?i)\bbearer\s+[A-Za-z0-9._~+/=-]{12,}\b)", {"bearer"}, 19},
    {"labeled_secret_value",
     GH_LABEL("password|secret|token|api[_-]?key") "([A-Za-z0-9_./+=-]{20,})",
     {"password", "secret", "token", "api"}, 26},
    {"pem_private_key",
     R"((?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z))",
     {"private key-----"}},
    {"url_userinfo", R"(://([^\s/@:]*:[^\s/@]+)@)", {"://"}},
    {"basic_auth_header", R"((?i)(?:^|[^A-Za-z0-9])(basic\s+[A-Za-z0-9+/]{12,}={0,2}))", {"basic"}, 18},
    {"aws_secret_key", GH_LABEL("aws_secret_access_key") "([A-Za-z0-9/+=]{40})",
     {"aws_secret_access_key"}, 62},
    {"google_api_key", R"(AIza[0-9A-Za-z_-]{35})", {"aiza"}, 39},
    {"google_oauth_secret", R"(GOCSPX-[A-Za-z0-9_-]{28})", {"gocspx-"}, 35},
    {"azure_account_key", R"((?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,}))",
     {"accountkey=", "sharedaccesskey="}, 31},
    {"azure_sas", R"([?&]sig=([A-Za-z0-9%/+=]{20,}))", {"sig="}, 24},
    {"gitlab_token", R"(gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-[0-9A-Za-z_-]{20,})",
     {"glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glagent-"}, 25},
    {"npm_token", R"((npm_[A-Za-z0-9]{36})(?:[^A-Za-z0-9]|$))", {"npm_"}, 40},
    {"pypi_token", R"(pypi-[A-Za-z0-9_-]{50,})", {"pypi-"}, 55},
    {"docker_token", R"(dckr_pat_[A-Za-z0-9_-]{20,})", {"dckr_pat_"}, 29},
    {"sendgrid_key", R"((?:^|[^A-Za-z0-9])(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}))", {"sg."}, 36},
    {"mailgun_key", R"((?:^|[^A-Za-z0-9])(key-[0-9a-f]{32})(?:[^A-Za-z0-9]|$))", {"key-"}, 36},
    {"twilio_key", R"((?:^|[^A-Za-z0-9])(SK[0-9a-f]{32})(?:[^A-Za-z0-9]|$))", {"sk"}, 34},
    {"slack_webhook", R"(/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{16,})", {"/services/t"}, 36},
    {"discord_webhook", R"(/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,})", {"/api/webhooks/"}, 55},
    {"telegram_token", R"((?:^|[^A-Za-z0-9])([0-9]{8,10}:AA[A-Za-z0-9_-]{33}))", {":aa"}, 36},
    {"huggingface_token", R"(hf_[A-Za-z0-9]{30,})", {"hf_"}, 33},
    {"digitalocean_token", R"(do[opr]_v1_[0-9a-f]{64})", {"_v1_"}, 68},
    {"shopify_token", R"(shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})",
     {"shpat_", "shpca_", "shppa_", "shpss_"}, 38},
    {"vault_token", R"(hv[sbr]\.[A-Za-z0-9_-]{24,})", {"hvs.", "hvb.", "hvr."}, 28},
    {"grafana_token", R"(glsa_[A-Za-z0-9]{32}_[0-9a-f]{8})", {"glsa_"}, 46},
    {"age_secret_key", R"(AGE-SECRET-KEY-1[0-9A-Z]{58})", {"age-secret-key-1"}, 74},
    // The published patterns take `_` for a part of a word, and a token behind or before it for no
    // token. These of the same names do not; a letter on the left is let pass where what follows
    // can be nothing else.
    {"aws_access_key", R"((?:^|[^0-9A-Z])((?:AKIA|ASIA|AROA|AGPA|ANPA|AIDA|AIPA)[0-9A-Z]{16})(?:[^0-9A-Z]|$))",
     {"akia", "asia", "aroa", "agpa", "anpa", "aida", "aipa"}, 20},
    {"github_token", R"((?:^|[^A-Za-z0-9])(gh[opusr]_[A-Za-z0-9_]{20,}))",
     {"gho_", "ghp_", "ghu_", "ghs_", "ghr_"}, 24},
    {"github_token", R"(gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{20,})",
     {"gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_"}, 31},
    {"stripe_key", R"((?:^|[^A-Za-z0-9])((?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}))",
     {"k_live_", "k_test_"}, 23},
    {"stripe_key", R"((?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{24,})", {"k_live_", "k_test_"}, 31},
    {"stripe_webhook_secret", R"(whsec_[A-Za-z0-9]{16,})", {"whsec_"}, 22},
    {"slack_token", R"(xox[aboprs]-[A-Za-z0-9-]{10,})", {"xox"}, 15},
    {"jwt", R"((?:^|[^A-Za-z0-9])(eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+))", {"eyj"}},
    {"jwt", R"(eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)", {"eyj"}, 18},
    {"bearer_token", R"((?i)(?:^|[^A-Za-z0-9])(bearer\s+[A-Za-z0-9._~+/=-]{12,}))", {"bearer"}, 19},
    {"sendgrid_key", R"(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})", {"sg."}, 69},
};
// clang-format on
#undef GH_LABEL

constexpr std::string_view kMarkerStart = "[REDACTED:";
constexpr std::size_t kContractKinds = 10;  // the rest is ours

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

/// What one look at a text shows: the kinds whose hints it holds, and whether it may be encoded.
struct Glance {
  std::uint64_t kinds = 0;  // a bit for each row of kKinds
  bool has_escapes = false;
};

constexpr std::size_t kAscii = 128;

/// Lower case; bytes beyond ASCII are in no hint, nor is NUL. Of what may begin an escape the
/// highest bit is set.
constexpr std::uint8_t kEscape = 0x80;
constexpr auto kFolded = [] {
  std::array<std::uint8_t, 256> out{};
  for (std::size_t c = 0; c < kAscii; ++c)
    out[c] = static_cast<std::uint8_t>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (const unsigned char c : {'\\', '&', '%', '~'})
    out[c] |= kEscape;
  return out;
}();
constexpr std::size_t folded(char c) {
  return kFolded[static_cast<unsigned char>(c)] & (kEscape - 1u);
}

/// Finds all hints of all kinds in one pass: by the first two characters, then by the rest.
class HintTable {
 public:
  HintTable() {
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
      for (const std::string_view hint : kKinds[kind].hints)
        if (!hint.empty()) rows_.push_back({hint, kind, pair_of(hint[0], hint[1])});
    std::ranges::sort(rows_, {}, &Row::pair);
    for (std::size_t i = rows_.size(); i-- > 0;)
      first_[rows_[i].pair] = static_cast<std::uint8_t>(i + 1);
  }

  Glance look_at(std::string_view text) const {
    Glance out;
    std::size_t before = 0;
    std::uint8_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::uint8_t c = kFolded[static_cast<unsigned char>(text[i])];
      seen |= c;
      const std::size_t now = c & (kEscape - 1u);
      if (const std::uint8_t first = first_[before * kAscii + now]; first != 0 && i > 0)
        out.kinds |= kinds_at(text.substr(i - 1), first - 1u);
      before = now;
    }
    out.has_escapes = (seen & kEscape) != 0;
    return out;
  }

 private:
  struct Row {
    std::string_view hint;
    std::size_t kind, pair;
  };

  static std::size_t pair_of(char a, char b) { return folded(a) * kAscii + folded(b); }

  std::uint64_t kinds_at(std::string_view rest, std::size_t row) const {
    std::uint64_t out = 0;
    for (const std::size_t pair = rows_[row].pair; row < rows_.size() && rows_[row].pair == pair;
         ++row) {
      const std::string_view hint = rows_[row].hint;
      if (rest.size() < std::max(hint.size(), kKinds[rows_[row].kind].least)) continue;
      if (std::ranges::equal(hint, rest.substr(0, hint.size()), {}, {}, lower))
        out |= std::uint64_t{1} << rows_[row].kind;
    }
    return out;
  }

  std::vector<Row> rows_;                              // by pair
  std::array<std::uint8_t, kAscii * kAscii> first_{};  // one more than the first row of a pair
};
static_assert(std::size(kKinds) <= 64);

Glance look_at(std::string_view text) {
  static const HintTable table;
  return table.look_at(text);
}

bool holds_kind(const Glance& seen, std::size_t row) { return (seen.kinds >> row & 1) != 0; }

/// True for what an earlier run has left behind: a marker, or a URL whose login is one.
bool is_already_masked(std::string_view secret) {
  const std::size_t scheme = secret.find("://");
  if (scheme == std::string_view::npos) return is_redaction_marker(secret);
  const std::string_view rest = secret.substr(scheme + 3);
  return is_redaction_marker(rest.substr(0, rest.find('@')));
}

/// The label of the next secret can look like the end of this one: it is looked at again.
constexpr std::size_t kLongestLabel = std::string_view("aws_secret_access_key").size();
bool is_labelled(const Kind& kind) {
  return kind.name == "labeled_secret_value" || kind.name == "aws_secret_key";
}

/// Where the secrets of one kind stand, in order and apart from each other.
std::vector<EncodedText::Range> find_kind(std::string_view text, std::size_t row) {
  const RE2& regex = kRegexes[row]();
  const int groups = 1 + regex.NumberOfCapturingGroups();
  std::array<re2::StringPiece, 2> found;
  std::vector<EncodedText::Range> out;
  std::size_t from = 0;
  while (from < text.size() && regex.Match({text.data(), text.size()}, from, text.size(),
                                           RE2::UNANCHORED, found.data(), groups)) {
    const re2::StringPiece& secret = found[static_cast<std::size_t>(groups - 1)];
    const auto start = static_cast<std::size_t>(secret.data() - text.data());
    const std::size_t end = start + secret.size();
    from = is_labelled(kKinds[row]) ? std::max(start + 1, end - std::min(end, kLongestLabel)) : end;
    if (is_already_masked({secret.data(), secret.size()})) continue;
    if (!out.empty() && start < out.back().end)
      out.back().end = std::max(out.back().end, end);
    else
      out.push_back({start, end});
  }
  return out;
}

/// True when something was masked; what, is added to `kinds`.
bool mask_patterns(EncodedText& seen, KindCounts& kinds) {
  const Glance glance = look_at(seen.text());
  bool masked = false;
  for (std::size_t row = 0; row < std::size(kKinds); ++row) {
    if (!holds_kind(glance, row)) continue;
    const auto found = find_kind(seen.text(), row);
    if (found.empty()) continue;
    seen.replace(found, redaction_marker(kKinds[row].name));
    kinds[std::string(kKinds[row].name)] += static_cast<int>(found.size());
    masked = true;
  }
  return masked;
}

constexpr int kMaxLevels = 8;  // decoders behind each other

/// The text itself, then as one and as several decoders behind each other would read it.
bool mask_all_forms(Redaction& r) {
  EncodedText seen(r.text);
  bool masked = mask_patterns(seen, r.kinds);
  for (int level = 0; level < kMaxLevels && seen.decode(); ++level)
    masked = mask_patterns(seen, r.kinds) || masked;
  if (masked) r.text = seen.encoded(r.text);
  return masked;
}

std::string published(const Kind& kind) {
  if (kind.name == "openai_api_key") return "(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}";
  if (kind.name == "labeled_secret_value") return std::string(kind.name);
  const std::string_view pattern = kind.pattern;
  return std::string(pattern.starts_with("(?i)") ? pattern.substr(4) : pattern);
}

}  // namespace

bool is_redaction_marker(std::string_view text) {
  return text.starts_with(kMarkerStart) && text.find(']') == text.size() - 1;
}

std::string redaction_marker(std::string_view kind) {
  return fmt::format("{}{}]", kMarkerStart, kind);
}

/// As mask_all_forms looks at it, without knowing where each byte came from.
bool holds_no_secret(std::string_view text) {
  std::optional<std::string> plain;
  for (int level = 0;; ++level) {
    const Glance glance = look_at(text);
    for (std::size_t row = 0; glance.kinds >> row != 0; ++row)
      if (holds_kind(glance, row) && !find_kind(text, row).empty()) return false;
    if (!glance.has_escapes || level == kMaxLevels || !(plain = decoded(text))) return true;
    text = *plain;
  }
}

/// What stands beside a mask may become readable as another secret, so it is looked at again.
Redaction redact(std::string_view text) {
  constexpr int kMaxRounds = 8;
  Redaction out{std::string(text), {}};
  for (int round = 0; round < kMaxRounds && mask_all_forms(out); ++round) {
  }
  return out;
}

std::vector<SecretMatch> secrets_in(std::string_view text, SecretKinds which) {
  const Glance glance = look_at(text);
  const std::size_t rows = which == SecretKinds::contract ? kContractKinds : std::size(kKinds);
  std::vector<SecretMatch> out;
  const auto is_known = [&](std::string_view kind) {
    return std::ranges::find(out, kind, &SecretMatch::kind) != out.end();
  };
  for (std::size_t row = 0; row < rows; ++row)
    if (holds_kind(glance, row) && !is_known(kKinds[row].name) && !find_kind(text, row).empty())
      out.push_back({kKinds[row].name, published(kKinds[row])});
  return out;
}

}  // namespace gh::policy
