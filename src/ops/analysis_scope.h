// What an analysis is about: which folder, read from where, and how the answer is known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "git/repo.h"
#include "ops/operation.h"
#include "ops/source_files.h"

namespace gh::ops {

enum class ReadFrom : std::uint8_t { work_tree, index, revision };
std::string_view to_string(ReadFrom);

struct Scope {
  std::unique_ptr<git::Repo> repo{};  // null outside of one
  std::string root;                   // resolved; with the folder below it when one was named
  ReadFrom from = ReadFrom::work_tree;
  std::string revision{}, tree{};  // empty unless read from a revision
  std::unique_ptr<RunSource> files{};
};

struct ScopeWish {
  std::string path{};      // a folder; empty: the repository around the current one
  std::string revision{};  // empty: not from a revision
  bool staged = false;
};

/// Where configuration and baseline are.
std::string home_of(const Scope&);

/// path_invalid for folders of the system and for what is no folder.
Result<Scope> open_scope(const ScopeWish&, Context&);

/// The repository at or around the folder.
Result<git::Repo> repo_around(const std::string& folder, Context&, bool reads_seldom = false);

/// Is that a folder of the system? `temporary` is resolved, and may be read wherever it lies; so may
/// a work tree below one: runners check out below /root and /var.
bool is_refused_root(std::string_view resolved, std::string_view temporary,
                     std::string_view work_tree = {});

}  // namespace gh::ops
