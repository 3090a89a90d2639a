#include "base/url.h"

#include <gtest/gtest.h>

namespace gh {
namespace {

struct Case {
  const char *url, *shown;
};
constexpr Case kCases[] = {
    {"postgres://gate@db.example.org/gatehouse", "postgres://gate@db.example.org/gatehouse"},
    {"postgres://gate:secret@db/gatehouse", "postgres://gate:***@db/gatehouse"},
    {"postgresql://gate:secret@db:5433/g", "postgresql://gate:***@db:5433/g"},
    {"postgres://gate:se@cr/e?t@db/g", "postgres://gate:***@db/g"},
    {"postgres://:secret@db/g", "postgres://:***@db/g"},
    {"postgres://db/g?password=secret", "postgres://db/g?***"},
    {"postgres://gate@db/g?sslpassword=secret&x=1", "postgres://gate@db/g?***"},
    {"postgres://db:5432/g", "postgres://db:5432/g"},
    {"postgres://a:1,b:2/g", "postgres://a:1,b:2/g"},
    {"postgres://[::1]:5432/g", "postgres://[::1]:5432/g"},
    {"postgres:///g", "postgres:///g"},
    {"postgres://gate:secret", "postgres://***"},
    {"postgres://gate:sec/ret", "postgres://***"},
    {"host=db password=secret", "***"},
    {"secret", "***"},
    {"", "***"},
};

TEST(Url, ThePasswordIsNeverShown) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.url);
    EXPECT_EQ(without_password(c.url), c.shown);
    EXPECT_EQ(without_password(c.url).find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace gh
