#pragma once
// Which refs below refs/remotes tell what another repository holds? Any of them can be made here:
// with a remote that leads back, or to a copy beside it.
#include <functional>
#include <string>

#include "git/repo.h"

namespace gh::ops {

/// A remote as the repository's own settings have it.
struct Remote {
  std::string name{}, url{};
};

/// What the remotes hold that lead to another machine, and those that `is_believed` takes.
Result<git::KnownRefs> refs_of_remotes(const git::Repo&,
                                       const std::function<bool(const Remote&)>& is_believed);

/// The remote with this address; empty: none.
Result<std::string> remote_at(const git::Repo&, std::string_view url);

/// The same for a guarded branch: its upstream is believed wherever it is. That is `origin` where
/// there is one, so that another upstream does not choose.
Result<git::KnownRefs> refs_of_upstream(const git::Repo&, std::string_view branch);
/// Of the branch that is checked out.
Result<git::KnownRefs> refs_of_upstream(const git::Repo&);

}  // namespace gh::ops
