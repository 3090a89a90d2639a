#include "analysis/registrations.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/finding.h"

namespace gh::analysis {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kWebMethods[]{"api_route", "delete",    "exception_handler",
                                         "get",       "head",      "middleware",
                                         "on_event",  "options",   "patch",
                                         "post",      "put",       "route",
                                         "trace",     "websocket", "websocket_route"};
constexpr std::string_view kFlaskMethods[]{"delete", "get",  "head", "options",
                                           "patch",  "post", "put",  "route"};
constexpr std::string_view kAiohttpMethods[]{"delete", "get", "head",  "options", "patch",
                                             "post",   "put", "route", "view"};
constexpr std::string_view kObservers[]{"business_connection",
                                        "business_message",
                                        "callback_query",
                                        "channel_post",
                                        "chat_boost",
                                        "chat_join_request",
                                        "chat_member",
                                        "chosen_inline_result",
                                        "deleted_business_messages",
                                        "edited_business_message",
                                        "edited_channel_post",
                                        "edited_message",
                                        "error",
                                        "errors",
                                        "inline_query",
                                        "message",
                                        "message_reaction",
                                        "message_reaction_count",
                                        "my_chat_member",
                                        "poll",
                                        "poll_answer",
                                        "pre_checkout_query",
                                        "purchased_paid_media",
                                        "removed_chat_boost",
                                        "shipping_query",
                                        "shutdown",
                                        "startup"};
constexpr std::string_view kCommands[]{"command", "callback", "group", "task"};

enum class Sure : std::uint8_t { always, when_included };
struct ObjectRow {
  std::string_view framework, maker;
  Words methods;
  Sure sure;
};
// clang-format off
// table: registering objects
constexpr std::array<ObjectRow, 13> kObjects{{
    {"fastapi_app",        "fastapi.FastAPI",                   kWebMethods,     Sure::always},
    {"fastapi_router",     "fastapi.APIRouter",                 kWebMethods,     Sure::when_included},
    {"starlette_app",      "starlette.applications.Starlette",  kWebMethods,     Sure::always},
    {"starlette_router",   "starlette.routing.Router",          kWebMethods,     Sure::when_included},
    {"flask_app",          "flask.Flask",                       kFlaskMethods,   Sure::always},
    {"flask_blueprint",    "flask.Blueprint",                   kFlaskMethods,   Sure::when_included},
    {"aiohttp_routes",     "aiohttp.web.RouteTableDef",         kAiohttpMethods, Sure::when_included},
    {"aiogram_dispatcher", "aiogram.Dispatcher",                kObservers,      Sure::always},
    {"aiogram_router",     "aiogram.Router",                    kObservers,      Sure::when_included},
    {"typer_app",          "typer.Typer",                       kCommands,       Sure::always},
    {"click_group",        "click.Group",                       kCommands,       Sure::always},
    {"click_group",        "click.group",                       kCommands,       Sure::always},
    {"celery_app",         "celery.Celery",                     kCommands,       Sure::always},
}};

struct CallRow {
  std::string_view framework, callee;  // ending with '.': all of that module
};
// table: registering calls
constexpr std::array<CallRow, 9> kCalls{{
    {"fastapi",             "fastapi.Depends"},
    {"fastapi",             "fastapi.Security"},
    {"fastapi",             "fastapi.params.Depends"},
    {"fastapi",             "fastapi.params.Security"},
    {"django",              "django.urls.path"},
    {"django",              "django.urls.re_path"},
    {"django",              "django.urls.conf.path"},
    {"django",              "django.urls.conf.re_path"},
    {"dependency_injector", "dependency_injector.providers."},
}};

// Calls that make an object part of an application.
// table: including calls
constexpr std::array<std::string_view, 3> kIncluding{"include_router", "register_blueprint",
                                                     "add_routes"};

constexpr std::string_view kDispatch[]{"dispatch"};
constexpr std::string_view kRoute[]{"handle", "matches", "get_path", "get_response"};
constexpr std::string_view kStack[]{"build_middleware_stack"};
constexpr std::string_view kColumnType[]{
    "process_bind_param", "process_result_value", "process_literal_param", "load_dialect_impl",
    "coerce_compared_value", "compare_values", "bind_expression", "column_expression"};
constexpr std::string_view kSchema[]{"*_schema"};

struct HookRow {
  std::string_view framework, package, base;  // the first and the last part of the base's name
  Words methods;
};
// table: hook methods of frameworks
constexpr std::array<HookRow, 9> kHooks{{
    {"starlette",  "starlette",  "BaseHTTPMiddleware", kDispatch},
    {"starlette",  "starlette",  "Route",              kRoute},
    {"starlette",  "starlette",  "Starlette",          kStack},
    {"fastapi",    "fastapi",    "BaseHTTPMiddleware", kDispatch},
    {"fastapi",    "fastapi",    "Route",              kRoute},
    {"fastapi",    "fastapi",    "APIRoute",           kRoute},
    {"fastapi",    "fastapi",    "FastAPI",            kStack},
    {"sqlalchemy", "sqlalchemy", "TypeDecorator",      kColumnType},
    {"pydantic",   "pydantic",   "GenerateJsonSchema", kSchema},
}};
// clang-format on

constexpr int kMaxSteps = 8;            // a group of a group of a group …
constexpr std::size_t kMaxMakers = 64;  // of one variable; what it is given later is not looked at

bool is_one_of(Words words, std::string_view name) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return word.starts_with('*') ? name.ends_with(word.substr(1)) : name == word;
  });
}

std::string_view last_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}
std::string_view owner_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

/// A row of the table or of the profile, as both are asked.
struct Maker {
  std::string framework;
  std::vector<std::string_view> methods;
  Sure sure;
};

class Finder {
 public:
  Finder(const Project& project, const SymbolIndex& index, const Ancestry& ancestry)
      : project_(project), index_(index), ancestry_(ancestry), objects_(project.files.size()) {
    for (std::uint32_t f = 0; f < project.files.size(); ++f)
      for (const ObjectFact& fact : facts(f).registrations.objects)
        if (auto& made = objects_[f][text(f, fact.name)]; made.size() < kMaxMakers)
          made.push_back(&fact);
    for (std::uint32_t f = 0; f < project.files.size(); ++f)
      for (const HandedFact& handed : facts(f).registrations.handed)
        if (is_one_of(kIncluding, last_part(text(f, handed.callee))))
          if (const auto object = object_at(f, text(f, handed.argument)))
            included_.emplace(object->first, object->second);
  }

  std::vector<Registration> run() {
    for (std::uint32_t f = 0; f < project_.files.size(); ++f) {
      if (is_skipped(facts(f).status)) continue;
      for (const DecorationFact& decoration : facts(f).registrations.decorations)
        add_decorated(f, decoration);
      for (const HandedFact& handed : facts(f).registrations.handed)
        add_handed(f, handed);
    }
    add_hooks();
    std::ranges::stable_sort(out_, [](const Registration& a, const Registration& b) {
      return std::tuple(a.target, a.file, a.line) < std::tuple(b.target, b.file, b.line);
    });
    return std::move(out_);
  }

 private:
  using Object = std::pair<std::uint32_t, std::string>;  // file and variable

  const FileFacts& facts(std::uint32_t file) const { return project_.files[file].facts; }
  std::string_view text(std::uint32_t file, NameId name) const { return facts(file).names[name]; }

  using Made = std::vector<const ObjectFact*>;  // in the order of the source

  const Made& made(const Object& object) const {
    static const Made nothing;
    const auto at = objects_[object.first].find(object.second);
    return at == objects_[object.first].end() ? nothing : at->second;
  }
  const ObjectFact* object_fact(const Object& object) const {
    const Made& all = made(object);
    return all.empty() ? nullptr : all.front();
  }

  /// The variable that a dotted name means, in this file or where it is imported from.
  std::optional<Object> object_at(std::uint32_t file, std::string_view dotted) const {
    Object own{file, std::string(dotted)};
    if (object_fact(own) != nullptr) return own;
    const auto at = index_.destination(file, dotted);
    if (!at) return std::nullopt;
    Object other{at->file, at->local};
    return object_fact(other) == nullptr ? std::nullopt : std::optional(std::move(other));
  }

  std::optional<Maker> maker_named(std::string_view name) const {
    for (const ObjectRow& row : kObjects)
      if (row.maker == name)
        return Maker{
            std::string(row.framework), {row.methods.begin(), row.methods.end()}, row.sure};
    for (const RegistrationRule& rule : project_.profile.dead_code_registrations)
      if (rule.constructor == name)
        return Maker{rule.constructor, {rule.methods.begin(), rule.methods.end()}, Sure::always};
    return std::nullopt;
  }

  /// Who made the object; a group that another group made is a group like it.
  std::optional<Maker> maker_of(Object object) const {
    for (int step = 0; step < kMaxSteps; ++step) {
      bool moved = false;
      for (const ObjectFact* fact : made(object)) {
        const std::string_view maker = text(object.first, fact->maker);
        if (auto found = maker_named(maker)) return found;
        if (last_part(maker) != "group") continue;
        auto outer = object_at(object.first, owner_part(maker));
        if (!outer || *outer == object) continue;
        object = std::move(*outer);
        moved = true;
        break;
      }
      if (!moved) return std::nullopt;
    }
    return std::nullopt;
  }

  void add_decorated(std::uint32_t f, const DecorationFact& decoration) {
    const std::string_view target = text(f, decoration.target);
    const auto object = object_at(f, owner_part(target));
    if (!object) return;
    const auto maker = maker_of(*object);
    if (!maker || !is_one_of(maker->methods, last_part(target))) return;
    const ObjectFact* fact = object_fact(*object);
    out_.push_back({.target = index_.of(f, decoration.declaration),
                    .framework = maker->framework,
                    .edge_kind = "decorator",
                    .is_high = maker->sure == Sure::always || included_.contains(*object),
                    .line = decoration.line,
                    .file = f,
                    .evidence = std::string(target),
                    .evidence_symbol = std::string(text(object->first, fact->maker))});
  }

  void add_handed(std::uint32_t f, const HandedFact& handed) {
    const std::string_view callee = text(f, handed.callee);
    const auto row = std::ranges::find_if(kCalls, [&](const CallRow& r) {
      return r.callee.ends_with('.') ? callee.starts_with(r.callee) : callee == r.callee;
    });
    if (row == kCalls.end()) return;
    const std::uint32_t target = index_.find(f, text(f, handed.argument));
    if (target == kNone) return;
    out_.push_back({.target = target,
                    .framework = std::string(row->framework),
                    .edge_kind = "argument",
                    .line = handed.line,
                    .file = f,
                    .evidence = std::string(text(f, handed.argument)),
                    .evidence_symbol = std::string(callee),
                    .source = handed.owner == kNone ? kNone : index_.of(f, handed.owner)});
  }

  void add_hooks(std::uint32_t symbol) {
    const DeclarationFact& method = index_.declaration(symbol);
    const Symbol& at = index_.all()[symbol];
    if (method.kind != DeclarationKind::method || at.parent == kNone) return;
    const std::string_view name = text(at.file, method.name);
    if (!is_framework_hook(name)) return;
    for (std::size_t r = 0; r < kHooks.size(); ++r) {
      const Ancestry::OuterBase* base = hook_bases_[r][at.parent];
      if (base == nullptr || !is_one_of(kHooks[r].methods, name)) continue;
      out_.push_back({.target = symbol,
                      .framework = std::string(kHooks[r].framework),
                      .edge_kind = "hook",
                      .line = method.start_line,
                      .file = at.file,
                      .evidence = std::string(name),
                      .evidence_symbol = std::string(base->name),
                      .source = at.parent});
    }
  }

  static bool is_base_of(const HookRow& row, std::string_view base) {
    return last_part(base) == row.base && base.starts_with(row.package) &&
           base.size() > row.package.size() && base[row.package.size()] == '.';
  }

  void add_hooks() {
    for (std::size_t r = 0; r < kHooks.size(); ++r)
      hook_bases_[r] =
          ancestry_.outer_bases([&](std::string_view base) { return is_base_of(kHooks[r], base); });
    for (std::uint32_t s = 0; s < index_.all().size(); ++s)
      add_hooks(s);
  }

  const Project& project_;
  const SymbolIndex& index_;
  std::set<Object> included_{};
  const Ancestry& ancestry_;
  std::vector<std::unordered_map<std::string_view, Made>> objects_;  // by file and variable
  std::array<std::vector<const Ancestry::OuterBase*>, kHooks.size()> hook_bases_{};  // by symbol
  std::vector<Registration> out_{};
};

}  // namespace

bool is_framework_hook(std::string_view method) {
  return std::ranges::any_of(kHooks,
                             [&](const HookRow& row) { return is_one_of(row.methods, method); });
}

std::vector<Registration> registrations_of(const Project& project, const SymbolIndex& index,
                                           const Ancestry& ancestry) {
  return Finder(project, index, ancestry).run();
}

Map registration_document(const Project& project, const SymbolIndex& index,
                          const Registration& registration) {
  const Symbol& target = index.all()[registration.target];
  const DeclarationFact& fact = index.declaration(registration.target);
  return Map{{"target_qualname", target.qualname},
             {"relative_path", project.files[target.file].path},
             {"start_line", number(fact.start_line)},
             {"end_line", number(fact.end_line)},
             {"kind", to_string(fact.kind)},
             {"framework", registration.framework},
             {"edge_kind", registration.edge_kind},
             {"confidence", registration.is_high ? "high" : "medium"},
             {"evidence", registration.evidence},
             {"evidence_symbol", registration.evidence_symbol},
             {"source_qualname", registration.source == kNone
                                     ? Value(index.module(registration.file))
                                     : Value(index.all()[registration.source].qualname)}};
}

}  // namespace gh::analysis
