// Verbs in the names of tools (docs/reference/tool-surface.md, Verbs).
#include "surface/verbs.h"

#include <gtest/gtest.h>

namespace gh::surface {
namespace {

using Words = std::vector<std::string>;

TEST(Verbs, NamesAreTakenApart) {
  EXPECT_EQ(name_words("deleteUser"), (Words{"delete", "user"}));
  EXPECT_EQ(name_words("HTTPGetURL"), (Words{"http", "get", "url"}));
  EXPECT_EQ(name_words("users.drop-all_rows2"), (Words{"users", "drop", "all", "rows"}));
  EXPECT_TRUE(name_words("").empty());
}

std::string class_of(const std::string& name, const std::string& description = "") {
  Tool tool;
  tool.name = name;
  tool.description = description;
  const auto verb = verb_of(tool);
  if (!verb) return "";
  return std::string(verb->what) + (verb->ambiguous ? "?" : "");
}

TEST(Verbs, TheFirstOrLastWordCounts) {
  const std::pair<std::string, std::string> rows[] = {{"dropTable", "destructive"},
                                                      {"users.purge", "destructive"},
                                                      {"terminates_run", "destructive"},
                                                      {"payInvoice", "financial"},
                                                      {"wire-money", "financial"},
                                                      {"exec_script", "code"},
                                                      {"sql", "code"},
                                                      {"publishPost", "write"},
                                                      {"uploading_file", "write"},
                                                      {"crawl_site", "network"},
                                                      {"download", "network"},
                                                      {"list_deployments", "read"},
                                                      {"describe_drop", "read"},
                                                      {"run_report", "write?"},
                                                      {"set_password", "write?"},
                                                      {"query_orders", ""},
                                                      {"query_raw", "code"},
                                                      {"warehouse.queryRaw", "code"},
                                                      {"raw_query", ""},
                                                      {"request_http", "network?"},
                                                      {"frobnicate", ""}};
  for (const auto& [name, what] : rows)
    EXPECT_EQ(class_of(name), what) << name;
  EXPECT_EQ(class_of("frobnicate", "Deletes one table."), "destructive");
  EXPECT_EQ(class_of("frobnicate", "The table that deletes."), "");
  EXPECT_EQ(class_of("run_cleanup", "Deletes one table."), "destructive");
  EXPECT_EQ(class_of("run_cleanup", "Runs it."), "write?");
  EXPECT_EQ(class_of("frobnicate", "Runs it."), "write?");
}

}  // namespace
}  // namespace gh::surface
