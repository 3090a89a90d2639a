#include "policy/redact.h"

#include <algorithm>

#include "base/text.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

std::string times(std::string_view part, int n) {
  std::string out;
  for (int i = 0; i < n; ++i)
    out += part;
  return out;
}

struct Case {
  std::string kind, text, masked;
};

/// Three texts with a secret and one that misses it by little, for every kind. The secrets are put
/// together here so that no scanner takes this file for a leak.
std::vector<Case> cases() {
  const std::string a16 = "Abcdefgh12345678", a20 = "abcdefghij0123456789",
                    hex32 = times("0a1b2c3d", 4);
  const std::string up16 = "ABCDEFGH12345678";
  const auto all = [](std::string kind, std::vector<std::string> hits, std::string miss) {
    std::vector<Case> out;
    for (const std::string& hit : hits)
      out.push_back({kind, "x " + hit + " y", fmt::format("x [REDACTED:{}] y", kind)});
    out.push_back({kind, miss, miss});
    return out;
  };
  std::vector<Case> rows;
  const auto add = [&](std::vector<Case> more) {
    rows.insert(rows.end(), more.begin(), more.end());
  };
  add(all("openai_api_key", {"sk-" + a16, "sk-proj-" + a16 + "_-", "sk-" + times("z", 60)},
          "task-" + a16 + " and sk-short"));
  add(all("aws_access_key", {"AKIA" + up16, "ASIA" + up16, "AIPA" + up16}, "AKIA" + up16 + "X"));
  add(all("github_token", {"ghp_" + a20, "ghs_" + a20 + "_x", "github_pat_" + a20},
          "ghx_" + a20 + " ghp_short"));
  add(all("stripe_key", {"sk_live_" + a16, "rk_test_" + a16, "pk_live_" + a16 + "99"},
          "sk_prod_" + a16));
  add(all("stripe_webhook_secret", {"whsec_" + a16, "whsec_" + a16 + "AB", "whsec_" + up16},
          "whsec_short"));
  add(all("slack_token", {"xoxb-1234567890", "xoxp-" + a16, "xoxs-12-34-56-78"}, "xoxz-" + a16));
  add(all("jwt", {"eyJhbGci.eyJzdWIi.c2ln", "eyJ0.eyJ1_-.AAA", "eyJx.y.z"}, "eyJhbGci.only"));
  add(all(
      "database_url",
      {"postgres://u:p@h/db", "mongodb+srv://me:se:cret@host.example:27017/x", "rediss://a:b@c"},
      "sqlite://u:p/h and postgres://host/db"));
  add(all("bearer_token", {"Bearer abcdefghijkl", "bearer  a.b~c+d/e=f-gh", "BEARER " + a20},
          "bearer short"));
  add(all("pem_private_key",
          {"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
           "-----BEGIN PRIVATE KEY-----\n+AAA\n+-----END PRIVATE KEY-----",
           "-----BEGIN OPENSSH PRIVATE KEY-----\\nAA\\n-----END OPENSSH PRIVATE KEY-----"},
          "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"));
  add(all("basic_auth_header", {"Basic dXNlcjpwYXNz", "basic " + a16 + "==", "BASIC ABCDEFGHIJ+/"},
          "basic dXNlcjpw"));
  add(all("google_api_key",
          {"AIza" + times("b", 35), "AIza" + times("-", 35), "AIza" + times("Z", 35)},
          "AIza" + times("b", 34)));
  add(all("google_oauth_secret",
          {"GOCSPX-" + times("b", 28), "GOCSPX-" + times("_", 28), "GOCSPX-" + times("9", 28)},
          "GOCSPX-" + times("b", 27)));
  add(all("gitlab_token", {"glpat-" + a20, "glagent-" + a20, "glrt-" + a20 + "-x"},
          "glxat-" + a20));
  add(all("npm_token", {"npm_" + times("a", 36), "npm_" + times("B", 36), "npm_" + times("1", 36)},
          "npm_" + times("a", 37)));
  add(all("pypi_token",
          {"pypi-" + times("a", 50), "pypi-" + times("_", 70), "pypi-" + times("Z", 51)},
          "pypi-" + times("a", 49)));
  add(all("docker_token",
          {"dckr_pat_" + a20, "dckr_pat_" + a20 + "-", "dckr_pat_" + times("x", 27)},
          "dckr_pat_short"));
  add(all("sendgrid_key",
          {"SG." + a16 + "." + a16, "SG." + a20 + "." + a20, "SG." + a16 + "." + times("_", 43)},
          "SG." + a16 + ".short"));
  add(all("mailgun_key", {"key-" + hex32, "key-" + times("0", 32), "key-" + times("f", 32)},
          "key-" + hex32 + "0"));
  add(all("twilio_key", {"SK" + hex32, "SK" + times("0", 32), "SK" + times("f", 32)},
          "SK" + times("F", 32)));
  add(all("slack_webhook",
          {"/services/T000000/B000000/" + a16, "/services/TABCDEFG/BABCDEFG/" + a20,
           "/services/T123456/B123456/" + times("z", 24)},
          "/services/T0/B000000/" + a16));
  add(all("discord_webhook",
          {"/api/webhooks/" + times("1", 15) + "/" + times("a", 40),
           "/api/webhooks/" + times("2", 19) + "/" + times("-", 68),
           "/api/webhooks/" + times("3", 18) + "/" + times("_", 41)},
          "/api/webhooks/123/" + times("a", 40)));
  add(all("telegram_token",
          {"12345678:AA" + times("a", 33), "1234567890:AA" + times("-", 33),
           "123456789:AA" + times("Z", 33)},
          "1234567:AA" + times("a", 33)));
  add(all("huggingface_token",
          {"hf_" + times("a", 30), "hf_" + times("Q", 34), "hf_" + times("7", 40)},
          "hf_" + times("a", 29)));
  add(all("digitalocean_token",
          {"dop_v1_" + times("a", 64), "doo_v1_" + times("0", 64), "dor_v1_" + times("f", 64)},
          "dox_v1_" + times("a", 64)));
  add(all("shopify_token", {"shpat_" + hex32, "shpca_" + times("A", 32), "shpss_" + hex32},
          "shpxx_" + hex32));
  add(all("vault_token",
          {"hvs." + times("a", 24), "hvb." + times("_", 30), "hvr." + times("9", 90)},
          "hvx." + times("a", 24)));
  add(all("grafana_token",
          {"glsa_" + times("a", 32) + "_0123abcd", "glsa_" + times("Z", 32) + "_ffffffff",
           "glsa_" + times("0", 32) + "_00000000"},
          "glsa_" + times("a", 32) + "_0123abcg"));
  add(all("age_secret_key",
          {"AGE-SECRET-KEY-1" + times("Q", 58), "AGE-SECRET-KEY-1" + times("7", 58),
           "AGE-SECRET-KEY-1" + times("Z9", 29)},
          "AGE-SECRET-KEY-1" + times("Q", 57)));

  const std::string v20 = "abcDEF0123_./+=-abcd";
  const auto value_only = [&](std::string kind,
                              std::vector<std::pair<std::string, std::string>> around,
                              std::string secret, std::string miss) {
    for (const auto& [before, after] : around)
      rows.push_back(
          {kind, before + secret + after, fmt::format("{}[REDACTED:{}]{}", before, kind, after)});
    rows.push_back({kind, miss, miss});
  };
  value_only("labeled_secret_value",
             {{"password=", ""},
              {"\"API_KEY\": \"", "\","},
              {"client_secret = '", "'"},
              {"Api-Key:", " x"},
              {"{\\\"token\\\":\\\"", "\\\"}"},
              {"&quot;apikey&quot;: &quot;", "&quot;"}},
             v20, "password=" + v20.substr(1) + " tokens " + v20);
  value_only("url_userinfo", {{"https://", "@host/x"}, {"ftp://", "@h"}, {"x+y://", "@h:1"}},
             "user:pass", "https://user@host/a:b@c");
  value_only("url_userinfo", {{"redis://", "@h"}}, ":pass", "https://host:80/a@b");
  value_only("aws_secret_key",
             {{"aws_secret_access_key=", ""},
              {"\"AWS_SECRET_ACCESS_KEY\": \"", "\""},
              {"aws_secret_access_key : ", " x"}},
             times("aB3/+", 8), "aws_secret_access_key=" + times("a", 39));
  value_only("azure_account_key",
             {{"AccountKey=", ";x"}, {"SharedAccessKey=", ""}, {"a;AccountKey=", ""}},
             a20 + "==", "AccountName=" + a20);
  value_only("azure_sas", {{"?sig=", "&x=1"}, {"&sig=", ""}, {"&amp;sig=", ""}}, a20 + "%3D",
             "?sign=" + a20);
  return rows;
}

TEST(Redact, MasksEveryKindAndNotItsNearMiss) {
  for (const Case& c : cases()) {
    const Redaction r = redact(c.text);
    EXPECT_EQ(r.text, c.masked) << c.kind;
    const bool expected = c.text != c.masked;
    EXPECT_EQ(r.kinds.contains(c.kind), expected) << c.text;
    EXPECT_EQ(r.kinds.size(), expected ? 1u : 0u) << c.text;
  }
}

TEST(Redact, EveryKindOfTheSpecificationHasItsCases) {
  const std::vector<std::string> kKinds = {"openai_api_key",
                                           "aws_access_key",
                                           "github_token",
                                           "stripe_key",
                                           "stripe_webhook_secret",
                                           "slack_token",
                                           "jwt",
                                           "database_url",
                                           "bearer_token",
                                           "labeled_secret_value",
                                           "pem_private_key",
                                           "url_userinfo",
                                           "basic_auth_header",
                                           "aws_secret_key",
                                           "google_api_key",
                                           "google_oauth_secret",
                                           "azure_account_key",
                                           "azure_sas",
                                           "gitlab_token",
                                           "npm_token",
                                           "pypi_token",
                                           "docker_token",
                                           "sendgrid_key",
                                           "mailgun_key",
                                           "twilio_key",
                                           "slack_webhook",
                                           "discord_webhook",
                                           "telegram_token",
                                           "huggingface_token",
                                           "digitalocean_token",
                                           "shopify_token",
                                           "vault_token",
                                           "grafana_token",
                                           "age_secret_key"};
  const std::vector<Case> rows = cases();
  for (const std::string& kind : kKinds) {
    const auto of_kind = [&](const Case& c) { return c.kind == kind; };
    const auto hits = std::ranges::count_if(
        rows, [&](const Case& c) { return of_kind(c) && c.text != c.masked; });
    const auto misses = std::ranges::count_if(
        rows, [&](const Case& c) { return of_kind(c) && c.text == c.masked; });
    EXPECT_GE(hits, 3) << kind;
    EXPECT_GE(misses, 1) << kind;
  }
}

TEST(Redact, IsIdempotentAndCountsNothingTheSecondTime) {
  std::string everything;
  for (const Case& c : cases())
    everything += c.text + "\n";
  const Redaction once = redact(everything);
  const Redaction twice = redact(once.text);
  EXPECT_EQ(twice.text, once.text);
  EXPECT_TRUE(twice.kinds.empty());
}

TEST(Redact, ALetterBeforeTheKeyPrefixMeansAnotherWord) {
  const std::string key = "sk-abcdefghijklmnop";
  EXPECT_EQ(redact("a" + key).text, "a" + key);
  EXPECT_EQ(redact("9" + key).text, "9" + key);
  EXPECT_EQ(redact("_" + key).text, "_[REDACTED:openai_api_key]");
  EXPECT_EQ(redact("\xff" + key).text, "\xff[REDACTED:openai_api_key]");
  EXPECT_EQ(redact(key + " " + key).kinds["openai_api_key"], 2);
}

/// `_` is a part of a word for the published patterns, not for a reader.
TEST(Redact, AnUnderscoreOrALetterHidesNoTokenThatNothingElseCanBe) {
  const std::string a36 = times("abcdefghi012345678", 2), up16 = "ABCDEFGH12345678";
  struct Row {
    std::string kind, token;
    bool behind_letters = true;
  };
  const Row rows[] = {
      {"aws_access_key", "AKIA" + up16},
      {"github_token", "ghp_" + a36},
      {"github_token", "github_pat_" + a36},
      {"stripe_key", "sk_live_" + a36},
      {"stripe_webhook_secret", "whsec_" + a36},
      {"slack_token", "xoxb-" + a36},
      {"jwt", "eyJ" + a36 + ".eyJ" + a36 + "." + a36},
      {"bearer_token", "Bearer " + a36, false},
      {"basic_auth_header", "Basic " + a36, false},
      {"google_api_key", "AIza" + a36.substr(1)},
      {"google_oauth_secret", "GOCSPX-" + a36.substr(8)},
      {"gitlab_token", "glpat-" + a36},
      {"npm_token", "npm_" + a36},
      {"pypi_token", "pypi-" + a36 + a36},
      {"docker_token", "dckr_pat_" + a36},
      {"sendgrid_key", "SG." + a36.substr(14) + "." + a36 + "abcdefg"},
      {"mailgun_key", "key-" + times("0a1b2c3d", 4), false},
      {"twilio_key", "SK" + times("0a1b2c3d", 4), false},
      {"telegram_token", "12345678:AA" + a36.substr(3), false},
      {"huggingface_token", "hf_" + a36},
      {"digitalocean_token", "dop_v1_" + times("0a1b2c3d", 8)},
      {"shopify_token", "shpat_" + times("0a1b2c3d", 4)},
      {"vault_token", "hvs." + a36},
      {"grafana_token", "glsa_" + a36.substr(4) + "_0123abcd"},
      {"age_secret_key", "AGE-SECRET-KEY-1" + times("Q", 58)},
  };
  for (const Row& row : rows) {
    const std::string mask = "[REDACTED:" + row.kind + "]";
    EXPECT_EQ(redact("n2_" + row.token).text, "n2_" + mask);
    const bool is_masked = !contains(redact("name" + row.token).text, row.token.substr(4));
    EXPECT_EQ(is_masked, row.behind_letters) << row.token;
    EXPECT_FALSE(holds_no_secret("n2_" + row.token)) << row.token;
    // Behind it, too, as far as it does not go on.
    EXPECT_FALSE(contains(redact(row.token + "_end").text, row.token)) << row.token;
  }
  for (const char* name :
       {"laughs_at_every_single_joke_made", "keyJson.data.value", "risk_test_Configuration01",
        "MSG.someLongIdentifier.anotherIdentifier", "forbearer ofLongIdentifiers", "EURASIAPACIFIC",
        "shelf_number_of_the_book_in_question", "npm_config_cache_directory"})
    EXPECT_EQ(redact(name).text, name);
}

TEST(Redact, AKeyWithoutItsEndLineIsMaskedToTheEnd) {
  EXPECT_EQ(redact("a\n-----BEGIN EC PRIVATE KEY-----\nAAAA\nBBBB\n").text,
            "a\n[REDACTED:pem_private_key]");
}

TEST(Redact, PercentEncodingDoesNotHideASecret) {
  EXPECT_EQ(redact("see postgres%3A%2F%2Fu%3Apw%40host%2Fdb now").text,
            "see [REDACTED:database_url] now");
  EXPECT_EQ(redact("100% of %2F and %zz stay").text, "100% of %2F and %zz stay");
}

TEST(Redact, PlainTextIsUntouched) {
  const std::string_view text = "error: patch does not apply\n src/main.cc:12: expected ';'\n";
  const Redaction r = redact(text);
  EXPECT_EQ(r.text, text);
  EXPECT_TRUE(r.kinds.empty());
  EXPECT_EQ(redact("").text, "");
}

TEST(RedactDocument, SensitiveKeysForceTheirStringsAndWhatIsNestedBelow) {
  const Value document = Map{
      {"password", "hunter2"},
      {"Client-Secret", "short"},
      {"client_secret", Map{{"inner", List{"a", 7, "", nullptr}}}},
      {"note", "Bearer abcdefghijklmnop"},
      {"token", "Bearer abcdefghijklmnop"},
      {"authorization", "[REDACTED:jwt]"},
      {"tokens", "kept"},
      {"path", "src/a.cc"},
  };
  const RedactedValue r = redact_document(document);
  EXPECT_EQ(wire::canonical_json(r.value),
            R"({"Client-Secret":"[REDACTED:sensitive_field]",)"
            R"("authorization":"[REDACTED:jwt]",)"
            R"("client_secret":{"inner":["[REDACTED:sensitive_field]",7,"",null]},)"
            R"("note":"[REDACTED:bearer_token]","password":"[REDACTED:sensitive_field]",)"
            R"("path":"src/a.cc","token":"[REDACTED:bearer_token]","tokens":"kept"})");
  EXPECT_EQ(r.kinds.at("sensitive_field"), 3);
  EXPECT_EQ(r.kinds.at("bearer_token"), 2);
  EXPECT_EQ(redact_document(r.value).value, r.value);
}

TEST(RedactDocument, EachSensitiveKeyIsKnown) {
  for (const char* key :
       {"apikey", "api_key", "authorization", "bearer", "clientsecret", "client_secret",
        "credential", "credentials", "password", "passwd", "privatekey", "private_key", "pwd",
        "secret", "token", "API-KEY", "Pass.Word"})
    EXPECT_EQ(*redact_document(Map{{key, "v"}}).value.as_map()->find(key),
              Value("[REDACTED:sensitive_field]"))
        << key;
}

TEST(RedactDocument, KeysAreScannedToo) {
  const RedactedValue r = redact_document(Map{{"xoxb-1234567890", 1}});
  EXPECT_EQ(wire::canonical_json(r.value), R"({"[REDACTED:slack_token]":1})");
}

}  // namespace
}  // namespace gh::policy
