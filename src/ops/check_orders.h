#pragma once
// What the hooks of git ask of `check` beyond what a command line can say. No door but they hands
// such orders in.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/check_target.h"
#include "ops/operation.h"
#include "ops/patch_session.h"

namespace gh::ops {

/// A file as a person has let it in: these bytes at this path. No id: the file is taken away.
struct ApprovedFile {
  std::string path;
  std::optional<ObjectId> id{};
  bool operator==(const ApprovedFile&) const = default;
};

struct CheckOrders {
  std::string policy_at{};       // commit whose configuration judges; empty: that of the base
  bool intent_required = false;  // whatever change_control says
  std::vector<ApprovedFile> approved{};
  /// Has a finish accepted just this change? Asked where the scope gate would refuse it.
  std::function<bool()> is_accepted{};
};

Result<Reply> check_as_ordered(const Request&, Context&, const CheckOrders&);

/// Of these files, those that the target holds just as they were let in.
Result<std::vector<ApprovedFile>> approved_in(PatchSession&, const CheckTarget&,
                                              const std::vector<ApprovedFile>&);

/// The policy for a change with such files in it: they may be control files, and count for no
/// limit. Every other rule holds for them too; nobody lets in a secret.
policy::PatchPolicy with_approved(policy::PatchPolicy, std::string_view diff,
                                  const std::vector<ApprovedFile>&);

/// Puts both together: the session judges the target with what was let in.
Status let_in(PatchSession&, const CheckTarget&, const std::vector<ApprovedFile>&);

}  // namespace gh::ops
