#pragma once
// What the tests of this module share: a temp folder, a clock that stands still, ids that count.
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/value.h"
#include "sys/env.h"
#include "sys/files.h"

namespace gh::runs {

class FixedEnv final : public sys::Env {
 public:
  Timestamp now() override { return Timestamp{1'767'323'045}; }  // 2026-01-02T03:04:05Z
  std::int64_t monotonic_ms() override { return 0; }
  std::string random_hex(std::size_t digits) override {
    return fmt::format("{:0{}x}", ++ids_, digits);
  }
  std::string variable(std::string_view) override { return {}; }
  std::uint32_t user_id() override { return 1000; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "host"; }

 private:
  int ids_ = 0;
};

struct World {
  sys::TempDir dir = std::move(*sys::TempDir::create("/tmp", "gh-runs-"));
  FixedEnv env;

  std::string path(std::string_view name) const { return fmt::format("{}/{}", dir.path(), name); }
  std::string read(std::string_view name) const {
    auto bytes = sys::read_file(path(name), 64u << 20);
    EXPECT_TRUE(bytes.has_value()) << name;
    return bytes.value_or("");
  }
  bool has(std::string_view name) const {
    return sys::info(path(name)).kind != sys::FileKind::missing;
  }
};

/// A rejection as the report module builds it, as far as this module reads it.
inline Map rejection(std::string_view sha256 = "aa", std::string_view message = "too many files") {
  return Map{{"schema", "gatehouse.patch_rejection/1"},
             {"ok", false},
             {"stage", "policy"},
             {"code", "PATCH_POLICY_DENY"},
             {"message", message},
             {"details", Map{{"gate", "policy"}, {"rule", "max_files"}}},
             {"patch", Map{{"sha256", sha256}, {"canonical_sha256", "cc"}}},
             {"touched_files", List{"src/a.c", "src/b.c"}},
             {"added_lines", 12},
             {"policy", Map{{"source", "defaults"}}},
             {"run", Map{{"run_id", "prun-1"}, {"attempt", 1}, {"max_attempts", 3}}},
             {"evidence_sha256", "ee"}};
}

}  // namespace gh::runs
