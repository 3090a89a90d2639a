#include "serve/tokens.h"

#include <gtest/gtest.h>

#include "serve/serve.h"
#include "sys/files.h"

namespace gh::serve {
namespace {

const std::string kSecret(43, 's');
const std::string kToken = "gh8_abcdefgh_" + kSecret;

TEST(Tokens, HaveOneForm) {
  const auto read = read_token(kToken);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, "abcdefgh");
  EXPECT_EQ(read->secret, kSecret);
  EXPECT_TRUE(read_token(new_token(sys::real_env())));
  EXPECT_NE(new_token(sys::real_env()), new_token(sys::real_env()));
  for (const std::string& text :
       {std::string(), kSecret, "gh8_abcdefgh" + kSecret, "gh9_abcdefgh_" + kSecret,
        "gh8_abcdefg_" + kSecret, kToken + "x", "gh8_abcdefg!_" + kSecret})
    EXPECT_FALSE(read_token(text)) << text;
}

TEST(Tokens, NameActorAndRoles) {
  const auto tokens = Tokens::read("# comment\n\n" + kToken + "  eve reviewer,promoter\n", "f");
  ASSERT_TRUE(tokens);
  const auto caller = tokens->find(kToken);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->token_id, "abcdefgh");
  EXPECT_EQ(caller->actor, "eve");
  EXPECT_EQ(caller->roles, (std::vector<std::string>{"reviewer", "promoter"}));
  EXPECT_FALSE(tokens->find("gh8_abcdefgh_" + std::string(43, 't')));
  EXPECT_FALSE(tokens->find(""));
}

TEST(Tokens, AFileThatIsWrongIsRefusedWithoutRepeatingASecret) {
  for (const std::string& text :
       {std::string(), std::string("# nothing\n"), std::string("secret eve agent\n"), kToken + "\n",
        kToken + " eve\n", kToken + " eve king\n", kToken + " eve agent,admin\n",
        kToken + " eve agent more\n", kToken + " eve agent\n" + kToken + " bob agent\n"}) {
    const auto tokens = Tokens::read(text, "tokens.txt");
    ASSERT_FALSE(tokens) << text;
    EXPECT_EQ(tokens.error().message.find(kSecret), std::string::npos);
    EXPECT_EQ(tokens.error().message.find("secret"), std::string::npos);
  }
}

TEST(Tokens, AFileIsMadePrivateAndMustStayPrivate) {
  auto folder = sys::TempDir::create("/tmp", "gh-tokens-");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/tokens.txt";
  bool made = false;
  ASSERT_TRUE(load_tokens(path, sys::real_env(), made));
  EXPECT_TRUE(made);
  EXPECT_EQ(sys::info(path).mode & 0777, 0600u);
  ASSERT_TRUE(load_tokens(path, sys::real_env(), made));
  EXPECT_FALSE(made);
  ASSERT_TRUE(sys::write_file_atomic(path, kToken + " eve agent\n", 0644));
  EXPECT_FALSE(load_tokens(path, sys::real_env(), made));
}

TEST(Listen, TakesNumericAddressesAndLocalhost) {
  struct Case {
    std::string_view text, host;
    int port;
    bool is_loopback;
  };
  for (const Case& c :
       {Case{"127.0.0.1:8930", "127.0.0.1", 8930, true}, Case{"localhost:0", "127.0.0.1", 0, true},
        Case{"[::1]:80", "::1", 80, true}, Case{"127.5.5.5:1", "127.5.5.5", 1, true},
        Case{"0.0.0.0:80", "0.0.0.0", 80, false}, Case{"[::]:80", "::", 80, false}}) {
    const auto read = read_listen(c.text);
    ASSERT_TRUE(read) << c.text;
    EXPECT_EQ(read->host, c.host);
    EXPECT_EQ(read->port, c.port);
    EXPECT_EQ(read->is_loopback, c.is_loopback);
  }
  for (const std::string_view text :
       {"", "8930", ":8930", "127.0.0.1", "example.org:80", "127.0.0.1:99999"})
    EXPECT_FALSE(read_listen(text)) << text;
}

}  // namespace
}  // namespace gh::serve
