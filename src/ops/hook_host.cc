#include "ops/hook_host.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "hooks/decision.h"
#include "model/actor.h"
#include "ops/hook_command.h"
#include "ops/hook_memory.h"
#include "ops/hook_sight.h"
#include "store/spool.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/short_json.h"

namespace gh::ops {
namespace {

using hooks::Answer;
using hooks::Event;
using hooks::EventKind;
using hooks::ToolClass;

constexpr std::string_view kOwnServer = "gatehouse";
constexpr std::size_t kMaxJsonDepth = 64;

Answer before_any_tool(const HookRequest& request, const Event& event, Context& context) {
  compile_missing_rules(event, context);
  return before_tool(request, event, context, hook_far());
}

struct KindRow {
  EventKind kind;
  Answer (*answer)(const HookRequest&, const Event&, Context&);
};
// table: hook_kinds
constexpr std::array kKinds{
    KindRow{EventKind::pre_tool, before_any_tool}, KindRow{EventKind::post_tool, after_tool},
    KindRow{EventKind::stop, at_stop}, KindRow{EventKind::session_start, at_session_start},
    KindRow{EventKind::prompt, at_prompt}};

/// A path that the step writes, judged.
struct Judged {
  std::string path{};  // as the message names it
  std::size_t sight = 0;
  const hooks::Row* row = nullptr;
};

/// One step of an agent before it happens.
class Step {
 public:
  Step(const HookRequest& request, const Event& event, Context& context, const HookFar& far)
      : request_(request),
        event_(event),
        context_(context),
        far_(far),
        sites_(sites_of(event, context)) {}

  Answer answer() {
    const std::optional<Judged> worst = judged();
    if (!worst) return {};
    if (worst->row->outcome == hooks::Outcome::pass) return let_pass();
    return refuse(*worst);
  }

  /// The row that decides, and nothing else happens; none where no gate is concerned.
  std::optional<Judged> judged() {
    if (is_harmless()) return std::nullopt;
    read_command();
    place_targets();
    if (!concerns_a_gate()) return std::nullopt;
    read_sights();
    return judge();
  }

 private:
  /// Known without a look at anything.
  bool is_harmless() const {
    return event_.tool_class == ToolClass::read ||
           (event_.tool_class == ToolClass::mcp && event_.mcp_server == kOwnServer);
  }

  struct Wanted {
    HookPath at{};
    bool is_folder = false;
  };

  void want(std::string_view path, bool is_folder = false) {
    for (HookPath& at : sites_.locate(path)) {
      if (is_folder && at.path == ".") continue;  // it is there
      if (event_.tool_class == ToolClass::shell && hooks::is_hook_configuration(at.path) &&
          reading_.bypass.empty())
        reading_.bypass = "an edit of " + at.path;
      wanted_.push_back({std::move(at), is_folder});
    }
  }

  void read_command() {
    if (event_.command.empty()) return;
    if (home_is_gated()) home_ = read_rules(*sites_.home(), far_);
    reading_ = read_hook_command(event_, sites_, home_ ? home_->rules : hooks::Rules{}, far_);
    if (home_is_gated()) look_for_tampering();
  }

  /// While what guards git is not as it was, git records and sends nothing.
  void look_for_tampering() {
    if (!reading_.bypass.empty() || !needs_guards() || !has_tampering(*sites_.home())) return;
    tampered_ = far_.tampered(*sites_.home(), context_);
    if (!tampered_.empty()) reading_.bypass = "git without what guards it";
  }
  /// Installing the hooks is how a person says that all is well.
  bool needs_guards() const {
    return reading_.meets_gate || std::ranges::any_of(reading_.own, [](const shell::OwnCall& call) {
             return call.words.size() > 1 && call.words[0] == "hook" && call.words[1] == "install";
           });
  }

  void place_targets() {
    for (const std::string& target : event_.targets)
      want(target);
    for (const std::string& fragment : reading_.fragments)
      if (reading_.bypass.empty() && hooks::is_hook_configuration(fragment))
        reading_.bypass = "an edit of " + fragment;
    const std::vector<shell::Write> writes = reading_.writes;
    for (const shell::Write& write : writes) {
      const bool goes_inside = !write.into.empty() && sites_.is_folder(write.path);
      want(goes_inside ? write.path + "/" + write.into : write.path, write.makes_folder);
    }
    const bool says_where =
        event_.tool_class != ToolClass::write || (!event_.targets.empty() && !event_.is_elsewhere);
    if (!says_where && sites_.home() != nullptr) wanted_.push_back({{.in_site = true}});
  }

  bool home_is_gated() const { return sites_.home() != nullptr && sites_.home()->gated; }
  bool concerns_a_gate() const {
    return std::ranges::any_of(sites_.all(), [](const HookSite& site) { return site.gated; });
  }

  bool is_external(const Wanted& wanted) const {
    if (hooks::is_hook_configuration(wanted.at.path)) return false;
    return !wanted.at.in_site || !sites_.all()[wanted.at.site].gated;
  }

  /// One for each site, in their order.
  void read_sights() {
    const bool may_write = event_.tool_class != ToolClass::shell || !wanted_.empty() ||
                           reading_.shell_class != shell::ShellClass::read_only;
    for (std::size_t i = 0; i < sites_.all().size(); ++i) {
      const HookSite& site = sites_.all()[i];
      HookSight sight{.site = &site};
      if (site.gated) sight = i == 0 && home_ ? *std::move(home_) : read_rules(site, far_);
      sight.site = &site;  // sites may have moved since
      if (site.gated && may_write && sight.rules.hooks.mode != policy::HookMode::off) {
        HookLook look{.session = event_.session};
        for (const Wanted& wanted : wanted_)
          if (wanted.at.in_site && wanted.at.site == i) look.paths.push_back(wanted.at.path);
        read_records(sight, look, context_, far_);
      }
      sights_.push_back(std::move(sight));
    }
    if (sites_.overflown())
      for (HookSight& sight : sights_)
        sight.fault = "the step names files of too many repositories";
  }

  hooks::Call call_in(const HookSight& sight) const {
    return {.gated = sight.site->gated,
            .mode = request_.mode.value_or(sight.rules.hooks.mode),
            .tool_class = event_.tool_class,
            .readable = sight.fault.empty(),
            .shell_class = reading_.shell_class,
            .bypass = !reading_.bypass.empty(),
            .require_intent = sight.rules.hooks.require_intent,
            .shell_opaque = sight.rules.hooks.shell_opaque,
            .host_asks = hooks::can_ask(request_.host),
            .standing = sight.standing()};
  }

  std::size_t home_sight() const {
    if (home_is_gated()) return 0;
    return static_cast<std::size_t>(
        std::ranges::find_if(sites_.all(), [](const HookSite& site) { return site.gated; }) -
        sites_.all().begin());
  }

  Judged judge() const {
    Judged worst{.sight = home_sight()};
    worst.row = &hooks::decide(call_in(sights_[worst.sight]), nullptr);
    for (const Wanted& wanted : wanted_) {
      const bool external = is_external(wanted);
      const std::size_t at = wanted.at.in_site && !external ? wanted.at.site : home_sight();
      const HookSight& sight = sights_[at];
      hooks::Target target = sight.target(wanted.at);
      target.is_external = external;
      target.is_folder = wanted.is_folder;
      if (hooks::is_hook_configuration(wanted.at.path)) target.is_protected = true;
      const hooks::Row& row = hooks::decide(call_in(sight), &target);
      if (&hooks::worse(*worst.row, row) == &row && &row != worst.row)
        worst = {wanted.at.path, at, &row};
    }
    return worst;
  }

  Answer let_pass() const {
    const bool is_looked_at_later = event_.tool_class == ToolClass::mcp || event_.takes_patch ||
                                    (event_.tool_class == ToolClass::shell &&
                                     reading_.shell_class != shell::ShellClass::read_only);
    if (is_looked_at_later && home_is_gated())
      SessionMemory(*sites_.home(), event_.session).begin_call(event_.tool_call);
    return {};
  }

  Answer refuse(const Judged& worst) const {
    const HookSight& sight = sights_[worst.sight];
    hooks::Told told = told_of(sight, worst.row->rule, worst.path, event_, context_.env.now());
    told.folder = sites_.way_to(*sight.site);
    told.words = !reading_.bypass.empty() && worst.row->rule == "GH-BYPASS-001" ? reading_.bypass
                                                                                : reading_.why;
    told.tampered = tampered_;
    const bool enforced =
        request_.mode.value_or(sight.rules.hooks.mode) == policy::HookMode::enforce;
    spool_hook(*sight.site, event_,
               {.event = worst.row->rule == "GH-BYPASS-001" ? "hook.bypass" : "hook.denied",
                .rule = std::string(worst.row->rule),
                .path = worst.path,
                .stopped = enforced},
               context_);
    const std::string text = hooks::refusal_message(told);
    if (!enforced) return advise(text);
    if (event_.kind == EventKind::other) return hooks::block(text);
    const hooks::Saying saying =
        worst.row->outcome == hooks::Outcome::ask ? hooks::Saying::ask : hooks::Saying::deny;
    return hooks::render(request_.host, hooks::name_on(event_), saying, text);
  }

  /// It goes on, and is looked at afterwards like any other.
  Answer advise(const std::string& text) const {
    (void)let_pass();
    return hooks::render(request_.host, hooks::name_on(event_), hooks::Saying::advise, text);
  }

  const HookRequest& request_;
  const Event& event_;
  Context& context_;
  const HookFar& far_;
  HookSites sites_;
  shell::Reading reading_{};
  std::vector<std::string> tampered_{};  // of what guards git
  std::vector<Wanted> wanted_{};
  std::optional<HookSight> home_{};  // its rules, when they were needed early
  std::vector<HookSight> sights_{};
};

}  // namespace

void spool_hook(const HookSite& site, const Event& event, const HookTold& told, Context& context) {
  Map subject;
  if (!told.intent_id.empty()) subject.set("intent_id", told.intent_id);
  const auto spooled = [&] {
    return store::spool_event(site.state(),
                              {.ts = context.env.now(),
                               .event = std::string(told.event),
                               .severity = "warn",
                               .actor = to_value(local_actor(context.env.user_id())),
                               .surface = "hook",
                               .subject = subject,
                               .payload = Map{{"host", to_string(event.host)},
                                              {"session", printable(event.session, 200)},
                                              {"tool", printable(event.tool, 100)},
                                              {"tool_call", printable(event.tool_call, 200)},
                                              {"rule", told.rule},
                                              {"path", printable(told.path, 400)},
                                              {"stopped", told.stopped}}});
  };
  if (!spooled() && sys::make_private_folder(site.state())) (void)spooled();
}

Answer before_tool(const HookRequest& request, const Event& event, Context& context,
                   const HookFar& far) {
  return Step(request, event, context, far).answer();
}

std::optional<JudgedStep> judge_step(const Event& event, Context& context, const HookFar& far) {
  const auto worst = Step({.host = event.host}, event, context, far).judged();
  if (!worst) return std::nullopt;
  return JudgedStep{worst->row, worst->path};
}

Answer refuse_hook(std::string_view why, Context& context) {
  const HookSites sites(context.cwd);
  if (sites.home() == nullptr || !sites.home()->gated) return {};
  return hooks::block(hooks::refusal_message(
      {.rule = "GH-GATE-001", .root = sites.home()->found.root, .fault = std::string(why)}));
}

Answer refuse_event(const HookRequest& request, std::string_view why, Context& context) {
  if (hooks::kind_named(request.host, request.event) == EventKind::stop)
    return {.err = std::string(why) + "\n"};
  return refuse_hook(why, context);
}

Result<Reply> hook_host(const Request&, Context&);  // a row of the operation table

Result<Reply> hook_host(const Request& request, Context& context) {
  HookRequest asked{.host = *hooks::host_named(request.operation().words.substr(5))};
  asked.event = request.text("event");
  if (request.flag("advise")) asked.mode = policy::HookMode::advise;
  if (request.flag("enforce")) asked.mode = policy::HookMode::enforce;
  asked.budget_ms = request.integer("budget-ms").value_or(kHookBudgetMs);
  GH_TRY(input, context.read_input(hooks::kMaxEventBytes));
  const Answer answer = answer_hook(asked, input, context);
  Reply reply;
  reply.exit = answer.exit == 0 ? ExitCode::done : ExitCode::usage;
  reply.why = printable(answer.err, hooks::kMaxMessage);
  reply.text = [out = answer.out](const report::Look&) { return out; };
  return reply;
}

std::optional<Answer> answer_step(const HookRequest& request, std::string_view input,
                                  Context& context, const HookFar& far) {
  const auto document = wire::read_short_json(
      input, {.max_bytes = hooks::kMaxEventBytes, .max_depth = kMaxJsonDepth});
  if (!document) return std::nullopt;
  const auto event = hooks::read_event(request.host, *document, request.event);
  if (!event || event->kind != EventKind::pre_tool) return std::nullopt;
  return before_tool(request, *event, context, far);
}

Answer answer_hook(const HookRequest& request, std::string_view input, Context& context) {
  if (input.size() > hooks::kMaxEventBytes)
    return refuse_event(request, "the event is larger than 16 MiB", context);
  const auto document = wire::read_json(
      input, "event", {.max_bytes = hooks::kMaxEventBytes, .max_depth = kMaxJsonDepth});
  if (!document) return refuse_event(request, document.error().message, context);
  const auto event = hooks::read_event(request.host, *document, request.event);
  if (!event) return refuse_event(request, event.error().message, context);
  const auto row = std::ranges::find(kKinds, event->kind, &KindRow::kind);
  if (row != kKinds.end()) return row->answer(request, *event, context);
  // A new event of a host that brings a tool along: fail closed.
  return event->tool.empty() ? Answer{} : before_any_tool(request, *event, context);
}

}  // namespace gh::ops
