// Secrets behind the encodings that a document goes through, and texts that only look like secrets.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "policy/redact.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

std::string repeated(std::string_view part, int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += part;
  return out;
}

/// What is planted, and the part of it that must never be read again.
struct Planted {
  std::string kind, text, secret;
};

/// One of each kind, put together here so that no scanner takes this file for a leak.
std::vector<Planted> planted() {
  const std::string a20 = "aB3dE6gH9jK2mN5pQ8sT", hex32 = repeated("0a1b2c3d", 4);
  const auto whole = [](std::string kind, std::string secret) {
    return Planted{std::move(kind), secret, secret};
  };
  return {
      whole("openai_api_key", "sk-ant-" + a20),
      whole("aws_access_key", "AKIA" + repeated("Q7", 8)),
      whole("github_token", "ghp_" + a20),
      whole("stripe_key", "rk_live_" + a20),
      whole("stripe_webhook_secret", "whsec_" + a20),
      whole("slack_token", "xoxb-" + a20),
      whole("jwt", "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0"),
      whole("database_url", "postgresql://app:p\"w<&d@db.example:5432/x"),
      whole("bearer_token", "Bearer " + a20),
      {"labeled_secret_value", "\"api_key\": \"" + a20 + "+/=\"", a20 + "+/="},
      whole("pem_private_key",
            "-----BEGIN RSA PRIVATE KEY-----\n" + a20 + "+/\n-----END RSA PRIVATE KEY-----"),
      {"url_userinfo", "amqps://:p\"w<&d7@queue.example/x", "p\"w<&d7"},
      whole("basic_auth_header", "Basic dXNlcjpwYXNzd29yZA=="),
      {"aws_secret_key", "aws_secret_access_key = " + repeated("aB3/+", 8), repeated("aB3/+", 8)},
      whole("google_api_key", "AIza" + repeated("Sy-_x", 7)),
      whole("google_oauth_secret", "GOCSPX-" + repeated("aB-_", 7)),
      {"azure_account_key", "AccountName=x;AccountKey=" + a20 + "+/==", a20 + "+/=="},
      {"azure_sas", "https://x.example/c?sv=1&sig=" + a20 + "%2F%3D", a20},
      whole("gitlab_token", "glpat-" + a20),
      whole("npm_token", "npm_" + repeated("aB3dE6", 6)),
      whole("pypi_token", "pypi-" + repeated("AgEIc-", 10)),
      whole("docker_token", "dckr_pat_" + a20),
      whole("sendgrid_key", "SG." + a20 + "." + a20),
      whole("mailgun_key", "key-" + hex32),
      whole("twilio_key", "SK" + hex32),
      whole("slack_webhook", "/services/T0AB12CD/B0AB12CD/" + a20),
      whole("discord_webhook", "/api/webhooks/" + repeated("123", 6) + "/" + repeated("aB-_", 12)),
      whole("telegram_token", "123456789:AA" + repeated("h_-", 11)),
      whole("huggingface_token", "hf_" + repeated("aB3", 11)),
      whole("digitalocean_token", "dop_v1_" + repeated("0f", 32)),
      whole("shopify_token", "shpat_" + hex32),
      whole("vault_token", "hvs." + a20 + a20),
      whole("grafana_token", "glsa_" + repeated("aB3d", 8) + "_0123abcd"),
      whole("age_secret_key", "AGE-SECRET-KEY-1" + repeated("Q7", 29)),
  };
}

using Encode = std::string (*)(std::string_view);

std::string raw(std::string_view text) { return std::string(text); }

std::string json_escaped(std::string_view text) {
  const std::string quoted = wire::canonical_json(Value(std::string(text)));
  return quoted.substr(1, quoted.size() - 2);
}

std::string json_escaped_by_number(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  return out;
}

std::string json_with_slashes(std::string_view text) {
  std::string out;
  for (const char c : json_escaped(text))
    out += c == '/' ? "\\/" : std::string(1, c);
  return out;
}

std::string html_escaped(std::string_view text) {
  static const std::map<char, std::string> kNames{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (const char c : text)
    out += kNames.contains(c) ? kNames.at(c) : std::string(1, c);
  return out;
}

std::string html_by_number(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += fmt::format("&#x{:X};", static_cast<unsigned char>(c));
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string percent_of_all(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string html_of_json(std::string_view text) { return html_escaped(json_escaped(text)); }
std::string json_of_json(std::string_view text) { return json_escaped(json_escaped(text)); }
std::string percent_of_percent(std::string_view text) {
  return percent_encoded(percent_encoded(text));
}

const std::vector<Encode>& encodings() {
  static const std::vector<Encode> kAll{
      raw,          json_escaped,   json_escaped_by_number, json_with_slashes,
      html_escaped, html_by_number, percent_encoded,        percent_of_all,
      html_of_json, json_of_json,   percent_of_percent};
  return kAll;
}

void expect_gone(const std::string& text, const Planted& plant, const std::string& shown) {
  for (const Encode encode : encodings())
    EXPECT_EQ(text.find(encode(plant.secret)), std::string::npos)
        << plant.kind << " is still in " << text << "\nfrom " << shown;
}

TEST(RedactForms, EveryKindIsFoundBehindEveryEncoding) {
  EXPECT_EQ(planted().size(), 34u);
  for (const Planted& plant : planted())
    for (std::size_t i = 0; i < encodings().size(); ++i) {
      const std::string shown = encodings()[i]("see (" + plant.text + ") now");
      const Redaction r = redact(shown);
      EXPECT_TRUE(r.kinds.contains(plant.kind)) << plant.kind << " as " << i << ": " << r.text;
      expect_gone(r.text, plant, shown);
      EXPECT_EQ(redact(r.text).text, r.text) << "again";
    }
}

/// A secret behind more than one pair of encodings, and texts that are only encoded.
TEST(RedactForms, WhatHoldsNoSecretIsWhatNothingIsMaskedIn) {
  std::vector<std::string> texts{"api.json#/paths/~1v1~1orders~1{id}/get", "100% & ~ \\ \"", "~0~1",
                                 "%2525252541", "&amp;amp;lt;"};
  for (const Planted& plant : planted())
    for (const Encode outer : encodings())
      for (const Encode inner : encodings())
        texts.push_back(outer(inner("see (" + plant.text + ") now")));
  for (const std::string& text : texts)
    EXPECT_EQ(holds_no_secret(text), redact(text).kinds.empty()) << text;
}

/// One part of a pointer, as documents name their places.
std::string in_pointer(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

std::string out_of_pointer(std::string text) {
  for (const auto& [written, means] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}})
    for (std::size_t at = text.find(written); at != std::string::npos;
         at = text.find(written, at + 1))
      text.replace(at, 2, means);
  return text;
}

TEST(RedactForms, APathInAPointerHidesNoSecret) {
  for (const Planted& p : planted()) {
    const std::string text = "api.json#/paths/~1x~1" + in_pointer(p.text) + "/delete";
    const std::string masked = redact(text).text;
    EXPECT_EQ(out_of_pointer(masked).find(p.secret), std::string::npos) << p.kind << " " << masked;
    EXPECT_TRUE(masked.starts_with("api.json#/paths/~1x")) << masked;
  }
}

TEST(RedactForms, ALabelBehindAValueIsStillALabel) {
  const std::string value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char* between : {"/x/", "", "-", "/a/b/c.d/"}) {
    std::string text = "token=" + value;
    for (int i = 0; i < 4; ++i)
      text += between + std::string("api_key: ") + value;
    EXPECT_EQ(redact(text).text.find(value), std::string::npos) << redact(text).text;
  }
}

TEST(RedactForms, AnEncodedLineEndBeforeASecretIsNoLetter) {
  const std::string token = "ghp_aB3dE6gH9jK2mN5pQ8sT";
  EXPECT_EQ(redact("line\\n" + token + "\\nnext").text, "line\\n[REDACTED:github_token]\\nnext");
  EXPECT_EQ(redact("a%3D" + token).text, "a%3D[REDACTED:github_token]");
  EXPECT_EQ(redact("a&#10;" + token).text, "a&#10;[REDACTED:github_token]");
}

TEST(RedactForms, WhatIsNotMaskedStaysEncodedAsItWas) {
  EXPECT_EQ(redact(R"({\"a\":\"1 &amp; 2%20\",\"token\":\"aB3dE6gH9jK2mN5pQ8sT\"})").text,
            R"({\"a\":\"1 &amp; 2%20\",\"token\":\"[REDACTED:labeled_secret_value]\"})");
}

/// Secrets at random places of random text, in a random encoding each: none can be read afterwards.
TEST(RedactForms, NoMixtureOfEncodingsBringsASecretBack) {
  std::mt19937 random(7);
  const std::vector<Planted> all = planted();
  const std::vector<std::string> between{" ", "\n", "\" ", ", ", "; \\ ", " & ", " 100% ", "<p> "};
  const auto pick = [&](const auto& list) -> const auto& {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
  };
  for (int round = 0; round < 400; ++round) {
    std::string text;
    std::vector<Planted> chosen;
    for (int n = 0; n < 4; ++n) {
      chosen.push_back(pick(all));
      text += pick(between) + pick(encodings())(chosen.back().text) + pick(between);
    }
    text = pick(encodings())(text);
    const Redaction r = redact(text);
    for (const Planted& plant : chosen)
      expect_gone(r.text, plant, text);
  }
}

TEST(RedactForms, OrdinaryTextIsLeftAlone) {
  for (const char* text :
       {"commit 899ebd9d0c1b7c1d9f0e5a4b3c2d1e0f99887766",
        "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "\"integrity\": \"sha512-oRTkqjLgqN/PVB5kGOmA3WcUmCwZ3YPyyqQKXz2v3J9QmQ0dBX1o6K4v6w==\"",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "\"resolved\": \"https://registry.example/@scope/package/-/package-1.2.3.tgz\"",
        "task-sk-board and risk-assessment-of-the-deployment",
        "tokenizer: the-quick-brown-fox",
        "the password must have 20 characters",
        "secret: see the vault",
        "a bearer of news",
        "basic auth",
        "keyboard: key-value store",
        "https://user@host.example/path:with@signs",
        "https://host.example:8080/a?b=c&d=e",
        "C:\\new\\table\\users",
        "50% of %d files &c; AT&T \\d+ \\u12",
        "pypi-package-name",
        "npm_config_registry",
        "hf_model",
        "SG.example.org",
        "xoxo",
        "AKIAlooksShort",
        "eyJust a word",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----"}) {
    const Redaction r = redact(text);
    EXPECT_EQ(r.text, text);
    EXPECT_TRUE(r.kinds.empty()) << text;
  }
}

/// Doubling the text doubles the work: neither many starts nor many escapes make it grow faster.
TEST(RedactForms, HostileTextIsNotHeldAgainstUs) {
  for (const char* part : {"-----BEGIN PRIVATE KEY-----", "://a:", "\\u", "&#x", "%2", "%25", "sk-",
                           "\\\\", "&amp;", "eyJa.", "password="}) {
    const std::string text = repeated(part, 30'000);
    EXPECT_LE(redact(text).text.size(), 4 * text.size()) << part;
  }
}

TEST(SecretsIn, NamesThePublishedPatternsOfTheTen) {
  const std::string v20 = "aB3dE6gH9jK2mN5pQ8sT";
  const std::string text = "sk-" + v20 + " Bearer " + v20 + " token=" + v20 + " glpat-" + v20;
  std::vector<std::string> patterns, kinds;
  for (const SecretMatch& match : secrets_in(text, SecretKinds::contract))
    patterns.push_back(match.pattern);
  for (const SecretMatch& match : secrets_in(text, SecretKinds::all))
    kinds.emplace_back(match.kind);
  EXPECT_EQ(patterns, (std::vector<std::string>{"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}",
                                                R"(\bbearer\s+[A-Za-z0-9._~+/=-]{12,}\b)",
                                                "labeled_secret_value"}));
  EXPECT_EQ(kinds, (std::vector<std::string>{"openai_api_key", "bearer_token",
                                             "labeled_secret_value", "gitlab_token"}));
  EXPECT_TRUE(secrets_in("nothing here", SecretKinds::all).empty());
}

TEST(SecretsIn, EachPatternOfTheTenIsPublishedAsTheDocumentHasIt) {
  const std::vector<std::string> expected{
      R"((?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,})",
      R"(\b(?:AKIA|ASIA|AROA|AGPA|ANPA|AIDA|AIPA)[0-9A-Z]{16}\b)",
      R"(\b(?:gh[opusr]_[A-Za-z0-9_]{20,}|github_pat_[A-Za-z0-9_]{20,})\b)",
      R"(\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}\b)",
      R"(\bwhsec_[A-Za-z0-9]{16,}\b)",
      R"(\bxox[aboprs]-[A-Za-z0-9-]{10,}\b)",
      R"(\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\b)",
      R"(\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|rediss|mssql|sqlserver|clickhouse)://[^:\s/@]+:[^@\s]+@[^ \t\r\n'"]+)",
      R"(\bbearer\s+[A-Za-z0-9._~+/=-]{12,}\b)",
      "labeled_secret_value"};
  std::string text;
  for (const Planted& plant : planted())
    text += plant.text + "\n";
  std::vector<std::string> patterns;
  for (const SecretMatch& match : secrets_in(text, SecretKinds::contract))
    patterns.push_back(match.pattern);
  EXPECT_EQ(patterns, expected);
}

TEST(PrivacyAudit, NamesStructuralPathsWithCountsAndKinds) {
  const std::string token = "ghp_aB3dE6gH9jK2mN5pQ8sT";
  const Value report = Map{
      {"findings", List{Map{{"title", token}}, Map{{"title", token + " " + token}},
                        Map{{"evidence", Map{{"password", "x"}, {"a-b", token}, {token, token}}}}}},
      {"project", Map{{"name", "plain"}}}};
  const Map audit = privacy_audit(redact_document(report), {"packet_md", "json"}, false);
  EXPECT_EQ(wire::canonical_json(*audit.find("redacted_paths")),
            R"([{"count":1,"kinds":["github_token"],"path":"findings[].evidence.<key>"},)"
            R"({"count":2,"kinds":["github_token"],"path":"findings[].evidence.<redacted>"},)"
            R"({"count":1,"kinds":["sensitive_field"],"path":"findings[].evidence.password"},)"
            R"({"count":3,"kinds":["github_token"],"path":"findings[].title"}])");
}

TEST(PrivacyAudit, HasTheFieldsOfTheContract) {
  const Map audit = privacy_audit(redact_document(Value("plain")), {"packet_md", "json"}, false);
  EXPECT_EQ(wire::canonical_json(*audit.find("output_surfaces")), R"(["json","packet_md"])");
  EXPECT_EQ(wire::canonical_json(*audit.find("redacted_paths")), "[]");
  EXPECT_EQ(*audit.find("enabled"), Value(true));
  EXPECT_EQ(*audit.find("rules_version"), Value("0.2"));
  EXPECT_EQ(*audit.find("sensitive_field_inventory_version"), Value("0.1"));
  EXPECT_EQ(*audit.find("redacted_occurrence_count"), Value(0));
  EXPECT_EQ(audit.find("notes")->as_list()->size(), 2u);
  EXPECT_EQ(audit.size(), 7u);
  const Map legacy = privacy_audit(redact_document(Value("token=aB3dE6gH9jK2mN5pQ8sT")), {}, true);
  EXPECT_EQ(legacy.find("notes")->as_list()->size(), 3u);
  EXPECT_EQ(*legacy.find("redacted_occurrence_count"), Value(1));
  EXPECT_EQ(wire::canonical_json(*legacy.find("redacted_paths")),
            R"([{"count":1,"kinds":["labeled_secret_value"],"path":"<root>"}])");
}

}  // namespace
}  // namespace gh::policy
