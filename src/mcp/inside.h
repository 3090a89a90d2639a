#pragma once
// What is behind Server: the catalogue, the key of opaque words, who is to be told what.
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "mcp/catalogue.h"
#include "ops/ledger_watch.h"
#include "ops/registry_mirror.h"
#include "sys/process_identity.h"

namespace gh::mcp {

/// What somebody wants to hear of.
struct Filter {
  bool tools = false, prompts = false, resources = false;
  std::set<std::string> uris{};
};

/// Tells sessions and listening streams what changed. A resource is told of twice a second at most,
/// however often it changes.
class Herald {
 public:
  static constexpr std::size_t kMaxStreams = 1'024;

  Herald() = default;
  ~Herald();
  void add(const std::shared_ptr<Session>&);
  /// False: too many listen already.
  bool listen(const std::shared_ptr<Outlet>&, Value id, Filter);
  void hang_up(const Outlet*);

  void resource_changed(const std::string& uri);
  std::set<std::string> wanted();            // every URI that somebody listens for
  void list_changed(std::string_view list);  // "tools", "prompts", "resources"

  /// Asked twice a second while anybody listens; returns the URIs that changed.
  void set_watch(std::function<std::vector<std::string>()>);

 private:
  struct Stream {
    std::shared_ptr<Outlet> outlet;
    Value id;
    Filter filter;
  };
  void run(const std::stop_token&);
  void tell(const std::string& uri);
  void wake();

  std::mutex mutex_{};
  std::condition_variable_any turn_{};
  std::vector<std::weak_ptr<Session>> sessions_{};
  std::vector<Stream> streams_{};
  std::set<std::string> changed_{};
  std::function<std::vector<std::string>()> watch_{};
  std::jthread thread_{};
};

/// Keeps the files that hooks read of ledgers on servers young, as long as this server runs.
class MirrorKeeper {
 public:
  explicit MirrorKeeper(sys::Env& env) : env_(env) {}
  ~MirrorKeeper();
  void add(const std::string& folder);  // of a repository; each once

 private:
  void run(const std::stop_token&);
  std::vector<std::unique_ptr<ops::RegistryMirror>> take_fresh();

  sys::Env& env_;
  std::mutex mutex_{};
  std::condition_variable_any turn_{};
  std::set<std::string> known_{};
  std::vector<std::unique_ptr<ops::RegistryMirror>> fresh_{};  // not yet taken by the thread
  std::jthread thread_{};
};

struct Inside {
  ServerOptions options;
  sys::Env& env;
  const Catalogue& catalogue;
  std::string key;  // of cursors and request states; new in every process
  std::optional<sys::ProcessIdentity> process{};
  std::mutex turns_mutex{};
  std::map<std::string, std::shared_ptr<std::mutex>> turns{};  // by repository

  Inside(ServerOptions wanted, sys::Env& world);

  std::shared_ptr<std::mutex> turn_of(const std::string& root);
  /// From now on what others write to the ledger of this repository is told to whoever listens.
  void watch(const std::string& folder);

  std::mutex watch_mutex{};
  std::map<std::string, ops::LedgerWatch> watches{};  // by repository
  MirrorKeeper mirrors{env};
  Herald herald{};  // last: its thread uses the rest
};

/// One page of a list. `keys` name the items: a cursor of a list that changed since goes on behind
/// the item it stopped at. invalid_params for a cursor that is not ours.
struct Page {
  List items{};
  std::string next{};  // empty: that was the last one
};
inline constexpr std::size_t kPage = 50;
Rpc<Page> page_of(std::string_view key, std::vector<std::pair<std::string, Value>> items,
                  const std::string& cursor, std::size_t size);

// Methods that need more than a few lines.
Rpc<Map> call_tool(Inside&, Call&);
Rpc<Map> read_resource(Inside&, Call&);
/// `data` of a refusal of what no resource is called.
Map unknown_resource(const std::string& uri);
Rpc<Map> get_prompt(Inside&, Call&);
Rpc<Map> complete(Inside&, Call&);

/// The folder that a call is about. invalid arguments are Errors: they are told to the model.
Result<std::string> folder_of(Inside&, Call&, const std::string& root);
/// A request of an operation on behalf of the caller, as every tool and resource makes it.
Result<ops::Reply> perform(Inside&, Call&, const ops::Operation&, ops::RawRequest,
                           std::string folder, std::string input);
/// A fault of ours: what it was stands in the log, the client learns how to find it there.
tl::unexpected<RpcError> incident(Inside&, const Error&);
const ops::Operation& operation_named(std::string_view name);

}  // namespace gh::mcp
