#pragma once
// The registry as records with their holders, and transactions on it. Whatever is decided is
// decided inside the transaction that writes it (change control reference, "Registry").
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "control/conflicts.h"
#include "ops/change_session.h"
#include "store/intent_file.h"

namespace gh::ops {

/// Open records, each with what is known of its holder now. Held points to `intents`. Of records
/// that do not concern who asks, only the head may have been read: they have no scope then.
struct Workspace {
  std::vector<std::shared_ptr<const Intent>> intents{};
  std::vector<control::Held> held{};
  std::map<std::string, std::int64_t, std::less<>> revs{};
  std::vector<std::string> corrupted{};                          // ids of records that break a rule
  std::vector<std::string> without_extract{};                    // read, but nothing was extracted
  std::unordered_map<std::string, std::string> scope_digests{};  // of those with a head alone
  Timestamp now{};

  const control::Held* find(std::string_view intent_id) const;
  /// Newest first; `run_id` empty: of any run.
  std::vector<const control::Held*> own(std::string_view run_id = {}) const;
};
Workspace workspace_of(const std::vector<store::IntentRow>&, ChangeSession&, Timestamp now);

/// For answers that change nothing: not even what ran out is closed.
Result<Workspace> read_workspace(ChangeSession&, Context&);

/// Own records, those that ran out and those that may meet the scope are read; of the rest the
/// heads.
Result<Workspace> workspace_around(store::IntentIndex&, ChangeSession&, Timestamp now,
                                   const gh::Scope&);

/// For a look at single paths, which asks for nobody else: the records that declare one of them,
/// something above or below, one's own, those of these ids and sessions, and those of these agent
/// hosts.
struct PathLook {
  std::vector<std::string> paths{}, ids{}, sessions{};
  std::vector<control::Ancestor> hosts{};
};
Result<Workspace> read_workspace_at(ChangeSession&, Context&, const PathLook&);

/// Ids of records that may be those of this caller.
Result<std::vector<std::string>> ids_of(store::IntentIndex&, const control::Caller&);

/// Records with their keys, for a file that hooks read. One that breaks a rule is as if it were not
/// there, as everywhere.
std::vector<store::FiledIntent> filed(const std::vector<store::IntentRow>&);

/// The registry inside of a transaction, and what is to be written when it ends.
class Registry {
 public:
  Registry(ChangeSession& session, Context& context, store::IntentView& view, Workspace workspace)
      : session_(session), context_(context), view_(view), workspace_(std::move(workspace)) {}

  const Workspace& workspace() const { return workspace_; }
  Timestamp now() const { return workspace_.now; }
  store::IntentView& view() { return view_; }

  void put(const Intent&);              // new, or in place of the record that was read
  void put_renewed(const Intent&);      // the same where only the lease is another
  void close(Intent, IntentStatus as);  // stays for the audit
  void remove(std::string_view intent_id);
  void tell(ChangeEvent);
  /// The number in the audit chain that the last event gets.
  std::int64_t last_told() const {
    return view_.last_seq() + static_cast<std::int64_t>(change_.events.size());
  }
  void keep(store::Document);
  /// Into a state that owns its files: with a fence of its own.
  Result<Intent> activate(Intent);
  /// The next fence; whoever fell silent and had some of these files loses them to it.
  Result<Intent> fenced(Intent);
  /// The next id of this session on that run.
  Result<std::string> next_id(std::string_view run_id);

  void forget_closed();  // what lazy close takes out is not there for whoever decides next

  store::IntentChange take() &&;

 private:
  void put(const Intent&, std::string text);
  std::optional<store::IntentExtract> extract_of(const Intent&);

  ChangeSession& session_;
  Context& context_;
  store::IntentView& view_;
  Workspace workspace_;
  store::IntentChange change_{};
};

/// Closes what ran out, then lets `decide` add what it wants written. Durable.
Result<std::int64_t> change_registry(ChangeSession&, Context&,
                                     const std::function<Status(Registry&)>& decide);
/// The same where nobody matters but who may meet that scope; see workspace_around.
Result<std::int64_t> change_registry_around(ChangeSession&, Context&, const gh::Scope&,
                                            const std::function<Status(Registry&)>& decide);
/// The same without closing anything first.
Result<std::int64_t> change_registry_as_it_is(ChangeSession&, Context&,
                                              const std::function<Status(Registry&)>& decide);
/// The same for a renewal, which may be lost with the power. The registry holds the record of that
/// id alone, or those of the session without one: nobody else's is asked for, unless the owner of
/// one fell silent for so long that it matters who came meanwhile.
Result<std::int64_t> renew_softly(ChangeSession&, Context&, const std::string& id,
                                  const std::function<Status(Registry&)>& decide);

/// The lease of an intent of this session runs anew.
struct Renewal {
  Intent intent{};
  std::string refusal{};  // empty: renewed
};
Result<Renewal> renew_lease(ChangeSession&, Context&, const std::string& id,
                            std::optional<std::int64_t> lease_seconds);

/// An intent of this session: the one that is named, else the newest one. unknown_intent,
/// no_active_intent; ownership_lost, when somebody else recovered it.
Result<const control::Held*> own_intent(const Workspace&, const std::string& id,
                                        const ChangeSession&);

/// Member of a record that was recovered: the numbers of the sessions that held it before.
inline constexpr std::string_view kLostBy = "lost_by";
/// Did this session hold it before somebody else recovered it?
bool was_recovered_from(const Intent&, const ChangeSession&);
tl::unexpected<Error> lost_by_recovery(const Intent&);
/// Its time is over, and whoever looks next closes it, or has done so.
tl::unexpected<Error> ran_out(const Intent&);

/// ownership_lost, when its owner was silent for so long that somebody else has come.
Status check_held(const Workspace&, const control::Held&, const ChangeSession&);

/// The same inside of a transaction that writes to it. Also ownership_lost.
Result<Intent> held_intent(const Registry&, const std::string& id, const ChangeSession&);
/// As it was known before, by fence. ownership_lost.
Result<Intent> still_held(const Registry&, const Intent& known, const ChangeSession&);

}  // namespace gh::ops
