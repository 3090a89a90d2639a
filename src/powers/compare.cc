#include "powers/compare.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "powers/facts.h"

namespace gh::powers {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kMaxListed = 8;

/// "a, b, c" of rules with what they have in common said once.
std::string listed(Texts all) {
  sort_unique(all);
  const std::size_t more = all.size() > kMaxListed ? all.size() - kMaxListed : 0;
  if (more > 0) all.resize(kMaxListed);
  std::string out = join(all, ", ");
  if (more > 0) out += fmt::format(", and {} more", more);
  return out;
}

template <class T>
std::map<std::string, std::vector<const T*>> by_space(const std::vector<T>& list) {
  std::map<std::string, std::vector<const T*>> out;
  for (const T& one : list)
    out[one.owner.space].push_back(&one);
  return out;
}

class Comparison {
 public:
  Comparison(const Facts& before, const Facts& after, std::vector<Row>& rows)
      : before_(before), after_(after), rows_(rows) {
    const std::set<std::string> b(before.parts.begin(), before.parts.end()),
        a(after.parts.begin(), after.parts.end());
    std::ranges::set_intersection(b, a, std::inserter(both_, both_.end()));
    after_parts_ = a;
    was_all_ = given_whole(before);
    is_all_ = given_whole(after);
  }

  void run() {
    in_spaces(before_.grants, after_.grants, &Comparison::grants);
    scales();
    named();
    in_spaces(before_.hooks, after_.hooks, &Comparison::hooks);
    in_spaces(before_.servers, after_.servers, &Comparison::servers);
    in_spaces(before_.uses, after_.uses, &Comparison::uses);
    in_spaces(before_.permissions, after_.permissions, &Comparison::permissions);
    instructions();
    unknown();
  }

 private:
  template <class T>
  using Some = std::vector<const T*>;
  template <class T>
  void in_spaces(const std::vector<T>& before, const std::vector<T>& after,
                 void (Comparison::*compare)(const Some<T>&, const Some<T>&)) {
    const auto b = by_space(before), a = by_space(after);
    std::set<std::string> spaces;
    for (const auto& entry : b)
      spaces.insert(entry.first);
    for (const auto& entry : a)
      spaces.insert(entry.first);
    // An empty list that restricts has no items and still a space of its own.
    if constexpr (std::is_same_v<T, Grant>) {
      for (const Restriction& one : before_.restrictions)
        spaces.insert(one.owner.space);
      for (const Restriction& one : after_.restrictions)
        spaces.insert(one.owner.space);
    }
    for (const std::string& space : spaces) {
      const auto bi = b.find(space), ai = a.find(space);
      space_ = space;
      (this->*compare)(bi != b.end() ? bi->second : Some<T>{},
                       ai != a.end() ? ai->second : Some<T>{});
    }
  }

  /// A row of a server or a job counts only where both sides have that; of a new one what is worst.
  bool counts(const Owner& owner, Effect effect, Weight weight, bool is_strong) const {
    if (!owner.within.empty() && !both_.contains(owner.within)) return false;
    if (owner.part.empty() || both_.contains(owner.part)) return true;
    const Weight least = owner.host == Host::ci ? Weight::critical : Weight::high;
    return is_strong && after_parts_.contains(owner.part) && effect == Effect::widens &&
           weight >= least;
  }

  void put(const Owner& owner, Effect effect, Change change, Weight weight, std::string before,
           std::string after, bool is_before = false) {
    Row row{.effect = effect,
            .change = change,
            .weight = effect == Effect::widens ? weight : Weight::low,
            .host = owner.host,
            .kind = owner.kind,
            .before = std::move(before),
            .after = std::move(after),
            .place = owner.place,
            .is_before = is_before};
    if (effect == Effect::unread) row.weight = Weight::medium;
    row.why = why_of(row.kind, row.effect);
    rows_.push_back(std::move(row));
  }

  /// What a side gives everything of: more of that is nothing new, less of it takes nothing away.
  static std::set<std::string> given_whole(const Facts& facts) {
    std::set<std::string> out;
    for (const auto& entry : effective(facts.scales))
      if (gives_all(*entry.second)) out.insert(entry.second->gives);
    for (const Grant& grant : facts.grants)
      if (!grant.gives.empty()) out.insert(grant.gives);
    return out;
  }
  bool was_given(const Owner& owner) const { return was_all_.contains(owner.covered_by); }
  bool is_still_given(const Owner& owner) const { return is_all_.contains(owner.covered_by); }

  // --- grants ---
  static Some<Grant> of_level(const Some<Grant>& all, Level level) {
    Some<Grant> out;
    for (const Grant* grant : all)
      if (grant->level == level) out.push_back(grant);
    return out;
  }
  static bool gives(const Grant& wide, const Grant& narrow) {
    return wide.language == narrow.language && covers(wide.language, wide.rule, narrow.rule);
  }
  static bool is_given(const Some<Grant>& by, const Grant& grant) {
    return std::ranges::any_of(by, [&](const Grant* one) { return gives(*one, grant); });
  }
  static bool is_there(const Some<Grant>& in, const Grant& grant) {
    return std::ranges::any_of(in, [&](const Grant* one) { return one->rule == grant.rule; });
  }
  /// Those of `all` that nothing of `other` gives, without what another one of them gives, too.
  static Some<Grant> without(const Some<Grant>& all, const Some<Grant>& other) {
    Some<Grant> left;
    for (const Grant* grant : all)
      if (!is_given(other, *grant)) left.push_back(grant);
    Some<Grant> out;
    for (std::size_t i = 0; i < left.size(); ++i) {
      bool is_part = false;
      for (std::size_t j = 0; j < left.size() && !is_part; ++j)
        is_part = i != j && gives(*left[j], *left[i]) && (j < i || !gives(*left[i], *left[j]));
      if (!is_part) out.push_back(left[i]);
    }
    return out;
  }
  static Texts shown(const Some<Grant>& grants) {
    Texts out;
    for (const Grant* grant : grants)
      out.push_back(grant->shown);
    return out;
  }
  static Some<Grant> given_by(const Grant& wide, const Some<Grant>& all) {
    Some<Grant> out;
    for (const Grant* grant : all)
      if (gives(wide, *grant)) out.push_back(grant);
    return out;
  }

  const Restriction* restriction(const std::vector<Restriction>& all) const {
    const auto found =
        std::ranges::find(all, space_, [](const Restriction& r) { return r.owner.space; });
    return found != all.end() ? &*found : nullptr;
  }
  static std::string items(const Restriction& list, const Some<Grant>& grants) {
    Texts out;
    for (const Grant* grant : grants)
      out.push_back(grant->rule);
    return list.prefix + (out.empty() ? "none" : listed(out));
  }

  void grants(const Some<Grant>& before, const Some<Grant>& after) {
    const Restriction* was = restriction(before_.restrictions);
    const Restriction* is = restriction(after_.restrictions);
    if ((was == nullptr) != (is == nullptr)) {
      const Restriction& one = was != nullptr ? *was : *is;
      const bool widens = is == nullptr;
      const Weight weight = one.owner.kind == Kind::agent ? Weight::high : one.weight;
      if (!counts(one.owner, widens ? Effect::widens : Effect::narrows, weight, false)) return;
      const std::string all = one.prefix + (one.owner.kind == Kind::agent ? "all tools" : "all");
      Owner owner = one.owner;
      if (widens && owner.kind == Kind::agent) owner.place.line = 1;
      const bool is_before = widens && owner.kind != Kind::agent;
      put(owner, widens ? Effect::widens : Effect::narrows,
          widens ? Change::widened : Change::narrowed, weight, widens ? items(one, before) : all,
          widens ? all : items(one, after), is_before);
      return;
    }
    const auto was_allowed = of_level(before, Level::allow),
               is_allowed = of_level(after, Level::allow);
    const auto was_asked = of_level(before, Level::ask), is_asked = of_level(after, Level::ask);
    const auto was_denied = of_level(before, Level::deny), is_denied = of_level(after, Level::deny);
    Some<Grant> fresh = without(is_allowed, was_allowed), gone = without(was_allowed, is_allowed);
    std::erase_if(fresh, [&](const Grant* grant) { return was_given(grant->owner); });
    std::erase_if(gone, [&](const Grant* grant) { return is_still_given(grant->owner); });
    Some<Grant> asked = without(is_asked, was_asked), unasked = without(was_asked, is_asked);
    Some<Grant> denied = without(is_denied, was_denied), undenied = without(was_denied, is_denied);

    moved(undenied, fresh, true);
    moved(unasked, fresh, true);
    moved(undenied, asked, true);
    moved(gone, denied, false);
    moved(gone, asked, false);
    moved(unasked, denied, false);
    for (const Grant* grant : fresh)
      allowed(*grant, was_allowed, is_asked, is_denied);
    for (const Grant* grant : gone)
      taken(*grant, was_allowed, is_allowed);
    for (const Grant* grant : undenied)
      freed(*grant, was_denied, is_denied, is_allowed);
    for (const Grant* grant : unasked)
      freed(*grant, was_asked, is_asked, is_allowed);
    for (const Grant* grant : denied)
      stopped(*grant, was_denied);
    for (const Grant* grant : asked)
      stopped(*grant, was_asked);
  }

  /// One rule that went from one list to another is one row.
  void moved(Some<Grant>& from, Some<Grant>& to, bool widens) {
    for (auto f = from.begin(); f != from.end();) {
      const auto t = std::ranges::find_if(
          to, [&](const Grant* grant) { return gives(*grant, **f) || gives(**f, *grant); });
      if (t == to.end()) {
        ++f;
        continue;
      }
      const Effect effect = widens ? Effect::widens : Effect::narrows;
      const Weight weight = std::max((*f)->weight, (*t)->weight);
      if (counts((*t)->owner, effect, weight, true))
        put((*t)->owner, effect, widens ? Change::widened : Change::narrowed, weight, (*f)->shown,
            (*t)->shown);
      to.erase(t);
      f = from.erase(f);
    }
  }

  void allowed(const Grant& grant, const Some<Grant>& was, const Some<Grant>& is_asked,
               const Some<Grant>& is_denied) {
    if (!counts(grant.owner, Effect::widens, grant.weight, true)) return;
    if (is_given(is_denied, grant) || is_given(is_asked, grant))
      return put(grant.owner, Effect::tells, Change::added, Weight::low, "", grant.shown);
    const auto narrower = given_by(grant, was);
    put(grant.owner, Effect::widens, narrower.empty() ? Change::added : Change::widened,
        grant.weight, listed(shown(narrower)), grant.shown);
  }
  void taken(const Grant& grant, const Some<Grant>& was, const Some<Grant>& is) {
    if (!counts(grant.owner, Effect::narrows, Weight::low, false)) return;
    Some<Grant> left = given_by(grant, is);
    std::erase_if(left, [&](const Grant* one) { return is_there(was, *one); });
    if (left.empty())
      return put(grant.owner, Effect::narrows, Change::removed, Weight::low, grant.shown, "", true);
    put(left.front()->owner, Effect::narrows, Change::narrowed, Weight::low, grant.shown,
        listed(shown(left)));
  }
  /// No longer stopped, or no longer asked about.
  void freed(const Grant& grant, const Some<Grant>& was, const Some<Grant>& is,
             const Some<Grant>& allowed) {
    if (!counts(grant.owner, Effect::widens, grant.weight, false)) return;
    Some<Grant> left = given_by(grant, is);
    std::erase_if(left, [&](const Grant* one) { return is_there(was, *one); });
    // What a wider rule gives may still stand there by itself.
    if (left.empty())
      if (const auto same = std::ranges::find(allowed, grant.rule, &Grant::rule);
          same != allowed.end())
        left.push_back(*same);
    if (left.empty())
      return put(grant.owner, Effect::widens, Change::widened, grant.weight, grant.shown, "", true);
    put(left.front()->owner, Effect::widens, Change::widened, grant.weight, grant.shown,
        listed(shown(left)));
  }
  void stopped(const Grant& grant, const Some<Grant>& was) {
    if (!counts(grant.owner, Effect::narrows, Weight::low, false)) return;
    put(grant.owner, Effect::narrows, Change::narrowed, Weight::low,
        listed(shown(given_by(grant, was))), grant.shown);
  }

  // --- values on a scale ---
  /// Of one value that several files set, the one that counts.
  static std::map<std::string, const Scale*> effective(const std::vector<Scale>& all) {
    std::map<std::string, const Scale*> out;
    for (const Scale& one : all) {
      const Scale*& now = out[one.owner.space];
      if (now == nullptr || one.layer > now->layer ||
          (one.layer == now->layer && rank_of(one) > rank_of(*now)))
        now = &one;
    }
    return out;
  }
  static int rank_of(const Scale& one) {
    const auto word = find_word(one.words, one.value);
    return word ? word->rank : 1 << 20;
  }
  static std::string shown(const Scale* one) {
    if (one == nullptr) return {};
    return fmt::format("{}{}{}", one->shown, one->layer < 0 ? " " : " = ",
                       printable(one->value, 200));
  }

  void scales() {
    const auto before = effective(before_.scales), after = effective(after_.scales);
    std::set<std::string> keys;
    for (const auto& entry : before)
      keys.insert(entry.first);
    for (const auto& entry : after)
      keys.insert(entry.first);
    for (const std::string& key : keys) {
      const auto bi = before.find(key), ai = after.find(key);
      scale(bi != before.end() ? bi->second : nullptr, ai != after.end() ? ai->second : nullptr);
    }
  }
  void scale(const Scale* was, const Scale* is) {
    const Scale& any = is != nullptr ? *is : *was;
    const auto word_of = [&](const Scale* one) {
      return find_word(any.words, one != nullptr ? one->value : std::string(any.fallback));
    };
    const auto before = word_of(was), after = word_of(is);
    if (was != nullptr && is != nullptr && was->value == is->value) return;
    if (!before || !after) {
      if (!counts(any.owner, Effect::widens, Weight::critical, true)) return;
      return put(any.owner, Effect::unread, Change::unread, Weight::medium, shown(was), shown(is),
                 is == nullptr);
    }
    if (before->rank == after->rank) return;
    const bool widens = after->rank > before->rank;
    if (widens ? was_given(any.owner) : is_still_given(any.owner)) return;
    if (!counts(any.owner, widens ? Effect::widens : Effect::narrows, after->weight, true)) return;
    put(any.owner, widens ? Effect::widens : Effect::narrows,
        widens ? Change::widened : Change::narrowed, after->weight, shown(was), shown(is),
        is == nullptr);
  }

  // --- things with a name ---
  void named() {
    std::map<std::string, std::vector<const Named*>> before, after;
    const auto key = [](const Named& one) {
      return fmt::format("{}|{}", one.owner.space, one.name);
    };
    for (const Named& one : before_.named)
      before[key(one)].push_back(&one);
    for (const Named& one : after_.named)
      after[key(one)].push_back(&one);
    for (const auto& [name, list] : after)
      if (const auto was = before.find(name); was == before.end())
        added(*list.front());
      else
        changed(was->second, list);
    for (const auto& [name, list] : before)
      if (!after.contains(name)) removed(*list.front());
  }
  void added(const Named& one) {
    if (!counts(one.owner, one.added, one.added_weight, false)) return;
    put(one.owner, one.added, one.added == Effect::narrows ? Change::narrowed : Change::added,
        one.added_weight, "", one.shown);
  }
  void changed(const std::vector<const Named*>& before, const std::vector<const Named*>& after) {
    for (const Named* one : after) {
      const bool is_known = std::ranges::any_of(
          before, [&](const Named* other) { return other->value == one->value; });
      if (is_known || !counts(one->owner, one->changed, one->changed_weight, false)) continue;
      Owner owner = one->owner;
      if (one->is_text) owner.place.line = first_difference(before.front()->value, one->value);
      put(owner, one->changed, Change::changed, one->changed_weight, before.front()->shown,
          one->shown);
    }
  }
  void removed(const Named& one) {
    if (!counts(one.owner, one.removed, one.added_weight, false)) return;
    put(one.owner, one.removed, one.removed_as,
        one.removed == Effect::widens ? Weight::high : Weight::low, one.shown, "", true);
  }

  // --- hooks ---
  struct Guarded {
    const Hook* first = nullptr;
    std::set<std::string> tools{};
    bool closes = true, waits = true;
    std::string closes_as{}, only_if{}, extra{}, matcher{};
    bool is_all() const { return tools.contains("*"); }
    bool takes(const Guarded& other) const {
      return is_all() || std::ranges::includes(tools, other.tools);
    }
    std::string shown() const {
      return fmt::format("{} [{}]: {}{}{}{}", first->event, is_all() ? "*" : matcher,
                         first->program, closes ? closes_as : "", waits ? "" : " (async)",
                         only_if.empty() ? "" : fmt::format(" (if {})", printable(only_if, 100)));
    }
  };
  static std::map<std::pair<std::string, std::string>, Guarded> guarded(const Some<Hook>& hooks) {
    std::map<std::pair<std::string, std::string>, Guarded> out;
    for (const Hook* hook : hooks) {
      Guarded& one = out[{hook->event, hook->program}];
      if (one.first == nullptr) {
        one.first = hook;
        one.only_if = hook->only_if;
        one.extra = hook->extra;
        one.matcher = hook->matcher;
      } else {
        one.matcher += "|" + hook->matcher;
        if (hook->only_if.empty()) one.only_if.clear();
      }
      one.tools.insert(hook->tools.begin(), hook->tools.end());
      one.closes = one.closes && hook->closes;
      one.waits = one.waits && hook->waits;
      if (!hook->closes_as.empty()) one.closes_as = hook->closes_as;
    }
    return out;
  }
  /// Our own hook takes power away wherever it stands.
  static bool is_ours(const Hook& hook) { return hook.program.starts_with("gatehouse hook "); }

  void hooks(const Some<Hook>& before, const Some<Hook>& after) {
    const auto was = guarded(before), is = guarded(after);
    std::vector<const Guarded*> gone, fresh;
    for (const auto& [key, one] : was)
      if (const auto same = is.find(key); same != is.end())
        hook(one, same->second);
      else
        gone.push_back(&one);
    for (const auto& [key, one] : is)
      if (!was.contains(key)) fresh.push_back(&one);
    for (const Guarded* one : gone) {
      const auto other = std::ranges::find_if(fresh, [&](const Guarded* f) {
        return f->first->event == one->first->event && (f->takes(*one) || one->takes(*f));
      });
      if (other != fresh.end()) {
        put((*other)->first->owner, Effect::widens, Change::changed, Weight::high, one->shown(),
            (*other)->shown());
        fresh.erase(other);
      } else if (is_guard_event(one->first->event) || is_ours(*one->first)) {
        put(one->first->owner, Effect::widens, Change::widened, Weight::high, one->shown(), "",
            true);
      } else {
        put(one->first->owner, Effect::narrows, Change::removed, Weight::low, one->shown(), "",
            true);
      }
    }
    for (const Guarded* one : fresh) {
      const bool ours = is_ours(*one->first);
      put(one->first->owner, ours ? Effect::narrows : Effect::widens,
          ours ? Change::narrowed : Change::added, Weight::high, "", one->shown());
    }
  }
  void hook(const Guarded& was, const Guarded& is) {
    const bool is_guard = is_guard_event(is.first->event) || is_ours(*is.first);
    const bool all = is.takes(was), none_more = was.takes(is);
    const auto row = [&](Effect effect, Change change, Weight weight) {
      put(is.first->owner, effect, change, weight, was.shown(), is.shown());
    };
    if (is_guard) {
      const bool opens = (was.closes && !is.closes) || (was.waits && !is.waits) || !all ||
                         (was.only_if != is.only_if && !is.only_if.empty());
      if (opens) return row(Effect::widens, Change::widened, Weight::high);
      if (!none_more || was.closes != is.closes || was.waits != is.waits ||
          was.only_if != is.only_if)
        return row(Effect::narrows, Change::narrowed, Weight::low);
    } else {
      if (!none_more) return row(Effect::widens, Change::widened, Weight::medium);
      if (!all) return row(Effect::narrows, Change::narrowed, Weight::low);
      if (was.only_if != is.only_if) return row(Effect::widens, Change::changed, Weight::medium);
    }
    if (was.extra != is.extra) row(Effect::tells, Change::changed, Weight::low);
  }

  // --- servers ---
  static std::string line_of(const Server& server) {
    Texts words;
    for (const std::string& word : server.words)
      words.push_back(printable(word, 200));
    return fmt::format("{}: {}", server.name, join(words, " "));
  }
  void servers(const Some<Server>& before, const Some<Server>& after) {
    Some<Server> gone, fresh;
    const auto is_of_another_job = [&](const Owner& owner) {
      return !owner.within.empty() && !both_.contains(owner.within);
    };
    for (const Server* one : before) {
      if (is_of_another_job(one->owner)) continue;
      const auto same = std::ranges::find(after, one->name, &Server::name);
      if (same != after.end())
        server(*one, **same);
      else
        gone.push_back(one);
    }
    for (const Server* one : after)
      if (std::ranges::find(before, one->name, &Server::name) == before.end() &&
          !is_of_another_job(one->owner))
        fresh.push_back(one);
    for (const Server* one : gone) {
      // Under another name other rules hold for its tools.
      const auto renamed = std::ranges::find(fresh, one->rest, &Server::rest);
      if (renamed != fresh.end()) {
        put((*renamed)->owner, Effect::widens, Change::changed, Weight::medium, line_of(*one),
            line_of(**renamed));
        fresh.erase(renamed);
      } else {
        put(one->owner, Effect::narrows, Change::removed, Weight::low, line_of(*one), "", true);
      }
    }
    for (const Server* one : fresh)
      put(one->owner, Effect::widens, Change::added, Weight::high, "", line_of(*one));
  }

  struct Version {
    std::string name, version;
    bool is_pinned = false;
  };
  static bool is_digest(std::string_view text) {
    return text.size() >= 32 && std::ranges::all_of(text, [](char c) {
             return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':';
           });
  }
  /// 1.4.2, v1.4.2-rc.1: a version and no range of them.
  static bool is_exact(std::string_view version) {
    if (version.starts_with("sha256:")) return is_digest(version.substr(7));
    if (version.starts_with('v')) version.remove_prefix(1);
    if (version.empty() || version.front() < '0' || version.front() > '9') return false;
    return std::ranges::count(version, '.') >= 2 && std::ranges::none_of(version, [](char c) {
             return c == '*' || c == 'x' || c == ' ' || c == '>' || c == '<' || c == '|';
           });
  }
  /// name@version, name==version, image:tag, image@sha256:...
  static Version version_of(std::string_view word) {
    for (const std::string_view mark : {"==", "@"})
      if (const std::size_t at = word.rfind(mark); at != word.npos && at > 0) {
        const std::string_view version = word.substr(at + mark.size());
        return {std::string(word.substr(0, at)), std::string(version), is_exact(version)};
      }
    const std::size_t colon = word.rfind(':'), slash = word.rfind('/');
    if (colon != word.npos && (slash == word.npos || colon > slash) && colon > 0)
      return {std::string(word.substr(0, colon)), std::string(word.substr(colon + 1)),
              is_exact(word.substr(colon + 1))};
    return {std::string(word), "", false};
  }
  static bool runs_packages(const Server& server) {
    if (server.words.empty()) return false;
    const std::string_view name =
        std::string_view(server.words.front()).substr(server.words.front().rfind('/') + 1);
    constexpr std::string_view kRunners =
        " npx bunx pnpx pnpm yarn npm bun uvx uv pipx docker podman deno ";
    return contains(kRunners, fmt::format(" {} ", name));
  }
  /// Only the version of what is run differs: by how much it is fixed.
  static std::optional<std::pair<Change, Weight>> version_change(const Server& was,
                                                                 const Server& is) {
    if (!runs_packages(was) || was.words.size() != is.words.size()) return std::nullopt;
    std::optional<std::pair<Change, Weight>> out;
    for (std::size_t i = 0; i < was.words.size(); ++i) {
      if (was.words[i] == is.words[i]) continue;
      if (out || i == 0) return std::nullopt;
      const Version a = version_of(was.words[i]), b = version_of(is.words[i]);
      // image@sha256:… and image:tag are one name, too
      if (a.name != b.name) return std::nullopt;
      if (a.is_pinned && !b.is_pinned)
        out = {Change::widened, Weight::high};
      else if (!a.is_pinned && b.is_pinned)
        out = {Change::narrowed, Weight::low};
      else
        out = {Change::changed, Weight::medium};
    }
    return out;
  }
  void server(const Server& was, const Server& is) {
    if (was.words == is.words && was.is_url == is.is_url) return;
    const auto version = version_change(was, is);
    const Change change = version ? version->first : Change::changed;
    put(is.owner, change == Change::narrowed ? Effect::narrows : Effect::widens, change,
        version ? version->second : Weight::high, line_of(was), line_of(is));
  }

  // --- agents in CI ---
  static bool is_commit(std::string_view ref) { return ref.size() >= 40 && is_digest(ref); }
  void uses(const Some<Uses>& before, const Some<Uses>& after) {
    for (const Uses* one : after) {
      Some<Uses> was;
      for (const Uses* other : before)
        if (other->action == one->action) was.push_back(other);
      if (was.empty()) {
        put(one->owner, Effect::widens, Change::added, Weight::high, "", one->shown);
      } else if (std::ranges::none_of(was, [&](const Uses* o) { return o->ref == one->ref; })) {
        const bool was_pinned = is_commit(was.front()->ref), is_pinned = is_commit(one->ref);
        if (!was_pinned && is_pinned)
          put(one->owner, Effect::narrows, Change::narrowed, Weight::low, was.front()->shown,
              one->shown);
        else
          put(one->owner, Effect::widens,
              was_pinned && !is_pinned ? Change::widened : Change::changed, Weight::medium,
              was.front()->shown, one->shown);
      }
    }
    for (const Uses* one : before)
      if (std::ranges::find(after, one->action, &Uses::action) == after.end())
        put(one->owner, Effect::narrows, Change::removed, Weight::low, one->shown, "", true);
  }

  static std::string_view level_of(int rank) { return rank == 2 ? "write" : "read"; }
  static std::string shown(const Permissions& one) {
    if (one.is_default) return one.job + ": default permissions";
    if (one.is_all) return one.job + ": write-all";
    Texts out;
    for (const auto& [scope, rank] : one.scopes)
      out.push_back(fmt::format("{}: {} {}", one.job, scope, level_of(rank)));
    return out.empty() ? one.job + ": no permissions" : listed(out);
  }
  void permissions(const Some<Permissions>& before, const Some<Permissions>& after) {
    if (before.empty() || after.empty()) {
      if (!after.empty() && after.front()->is_all)
        put(after.front()->owner, Effect::widens, Change::added, Weight::critical, "",
            shown(*after.front()));
      return;
    }
    const Permissions &was = *before.front(), &is = *after.front();
    const auto rank = [](const Permissions& p) { return p.is_all ? 2 : p.is_default ? 1 : 0; };
    if (rank(was) != rank(is)) {
      // What a repository gives by default may be less than what is asked for, or more.
      const bool asks_to_write =
          std::ranges::any_of(is.scopes, [](const auto& scope) { return scope.second == 2; });
      const bool widens = rank(is) > rank(was) || (was.is_default && asks_to_write);
      Owner owner = is.owner;
      const bool is_before = is.is_default;
      if (is_before) owner.place = was.places.empty() ? was.place : was.places.begin()->second;
      return put(owner, widens ? Effect::widens : Effect::narrows,
                 widens ? Change::widened : Change::narrowed,
                 is.is_all ? Weight::critical : Weight::high, shown(was), shown(is), is_before);
    }
    if (rank(is) != 0) return;
    for (const auto& [scope, now] : is.scopes) {
      const auto old = was.scopes.find(scope);
      const int then = old != was.scopes.end() ? old->second : 0;
      if (then == now) continue;
      Owner owner = is.owner;
      if (const auto place = is.places.find(scope); place != is.places.end())
        owner.place = place->second;
      const std::string after_text = fmt::format("{}: {} {}", is.job, scope, level_of(now));
      if (then == 0)
        put(owner, Effect::widens, Change::added, now == 2 ? Weight::high : Weight::medium, "",
            after_text);
      else
        put(owner, now > then ? Effect::widens : Effect::narrows,
            now > then ? Change::widened : Change::narrowed, Weight::high,
            fmt::format("{}: {} {}", is.job, scope, level_of(then)), after_text);
    }
    for (const auto& [scope, then] : was.scopes)
      if (!is.scopes.contains(scope)) {
        Owner owner = was.owner;
        if (const auto place = was.places.find(scope); place != was.places.end())
          owner.place = place->second;
        put(owner, Effect::narrows, Change::removed, Weight::low,
            fmt::format("{}: {} {}", was.job, scope, level_of(then)), "", true);
      }
  }

  // --- texts ---
  static std::int64_t first_difference(std::string_view before, std::string_view after) {
    struct Line {
      std::int64_t number;
      std::string text;
    };
    const auto lines_of = [](std::string_view text) {
      std::vector<Line> out;
      std::int64_t number = 0;
      for (const std::string_view line : split(text, '\n'))
        if (++number; !flowing(line).empty()) out.push_back({number, flowing(line)});
      return out;
    };
    const auto b = lines_of(before), a = lines_of(after);
    std::size_t i = 0;
    while (i < a.size() && i < b.size() && a[i].text == b[i].text)
      ++i;
    if (i == a.size() && i > 0) --i;
    return i < a.size() ? a[i].number : 1;
  }
  void instructions() {
    std::map<std::string, const Instruction*> before, after;
    const auto key = [](const Instruction& one) { return one.owner.space + one.owner.place.path; };
    for (const Instruction& one : before_.instructions)
      before[key(one)] = &one;
    for (const Instruction& one : after_.instructions)
      after[key(one)] = &one;
    for (const auto& [name, one] : after) {
      const auto was = before.find(name);
      const Instruction* old = was != before.end() ? was->second : nullptr;
      const bool hides = one->hidden.size() > (old != nullptr ? old->hidden.size() : 0);
      const bool is_same = old != nullptr && old->value == one->value;
      if (is_same && !hides) continue;
      if (!hides && !one->owner.part.empty() && !both_.contains(one->owner.part)) continue;
      Owner owner = one->owner;
      if (old != nullptr) owner.place.line = first_difference(old->text, one->text);
      put(owner, hides ? Effect::widens : Effect::tells,
          old != nullptr ? Change::changed : Change::added, Weight::high,
          old != nullptr ? "instructions" : "",
          hides ? "instructions with hidden characters" : "instructions");
    }
    for (const auto& [name, one] : before)
      if (!after.contains(name) && (one->owner.part.empty() || both_.contains(one->owner.part)))
        put(one->owner, Effect::tells, Change::removed, Weight::low, "instructions", "", true);
  }

  void unknown() {
    std::map<std::string, const Unknown*> before, after;
    const auto key = [](const Unknown& one) { return one.owner.space + "|" + one.key; };
    for (const Unknown& one : before_.unknown)
      before[key(one)] = &one;
    for (const Unknown& one : after_.unknown)
      after[key(one)] = &one;
    const auto row = [&](const Owner& of, const std::string& was, const std::string& is,
                         bool is_before) {
      Owner owner = of;
      owner.kind = Kind::setting;
      put(owner, Effect::unread, Change::unread, Weight::medium, was, is, is_before);
    };
    for (const auto& [name, one] : after) {
      const auto was = before.find(name);
      if (was != before.end() && was->second->value == one->value) continue;
      row(one->owner, was != before.end() ? one->key : "", one->key, false);
    }
    for (const auto& [name, one] : before)
      if (!after.contains(name)) row(one->owner, one->key, "", true);
  }

  const Facts &before_, &after_;
  std::vector<Row>& rows_;
  std::set<std::string> both_, after_parts_;
  std::set<std::string> was_all_, is_all_;
  std::string space_;
};

/// One side of a file: its facts, or why there are none.
struct Side {
  Facts facts{};
  Defect defect{};
};

Side side_of(const KnownFile& file, const std::string& path, const std::string& known_as,
             const std::optional<Entry>& entry) {
  Side out;
  if (!entry) return out;
  const bool follows = file.row->reader == Reader::instruction ||
                       file.row->reader == Reader::agent || file.row->reader == Reader::command ||
                       file.row->reader == Reader::skill;
  if (entry->kind != EntryKind::text)
    out.defect.what = word_of(entry->kind);
  else if (entry->through_link && !follows)
    out.defect.what = word_of(EntryKind::link);
  else if (entry->text.size() > kMaxEntryBytes)
    out.defect.what = "too large";
  else if (file.row->reader == Reader::workflow || file.row->reader == Reader::ci_file)
    out.defect = collect_workflow(path, known_as, entry->text, file.row->reader == Reader::workflow,
                                  out.facts);
  else
    out.defect = collect(file, path, entry->text, out.facts);
  return out;
}

void append(Facts& to, Facts&& from) {
  std::ranges::move(from.grants, std::back_inserter(to.grants));
  std::ranges::move(from.restrictions, std::back_inserter(to.restrictions));
  std::ranges::move(from.scales, std::back_inserter(to.scales));
  std::ranges::move(from.named, std::back_inserter(to.named));
  std::ranges::move(from.hooks, std::back_inserter(to.hooks));
  std::ranges::move(from.servers, std::back_inserter(to.servers));
  std::ranges::move(from.uses, std::back_inserter(to.uses));
  std::ranges::move(from.permissions, std::back_inserter(to.permissions));
  std::ranges::move(from.instructions, std::back_inserter(to.instructions));
  std::ranges::move(from.unknown, std::back_inserter(to.unknown));
  std::ranges::move(from.parts, std::back_inserter(to.parts));
}

/// New names of workflows by the names that they had: a file that went and one that came with the
/// same jobs are one.
std::map<std::string, std::string> renamed_workflows(const std::vector<FilePair>& files) {
  std::map<std::string, Texts> gone;
  for (const FilePair& file : files)
    if (file.before && !file.after && file.before->kind == EntryKind::text)
      if (const auto known = known_file(file.path); known && known->row->reader == Reader::workflow)
        if (const std::string jobs = jobs_with_agents(file.path, file.before->text); !jobs.empty())
          gone[jobs].push_back(file.path);
  std::map<std::string, std::string> out;
  if (gone.empty()) return out;
  for (const FilePair& file : files)
    if (file.after && !file.before && file.after->kind == EntryKind::text)
      if (const auto known = known_file(file.path);
          known && known->row->reader == Reader::workflow) {
        const auto old = gone.find(jobs_with_agents(file.path, file.after->text));
        if (old == gone.end() || old->second.empty()) continue;
        out[file.path] = old->second.front();
        old->second.erase(old->second.begin());
      }
  return out;
}

/// The actions and programs of each job.
std::map<std::string, Texts> jobs_of(const Facts& facts) {
  std::map<std::string, Texts> out;
  for (const Uses& one : facts.uses)
    out[one.owner.space].push_back(one.action);
  for (auto& entry : out)
    std::ranges::sort(entry.second);
  return out;
}

/// A job of another name that starts the same agents in the place of one that went is that one.
void follow_renamed_jobs(const Facts& before, Facts& after) {
  const auto was = jobs_of(before), is = jobs_of(after);
  std::map<std::string, std::string> names;  // new to old
  for (const auto& job : was) {
    const std::string& old_name = job.first;
    const Texts& agents = job.second;
    // What this one is called says what it is for.
    if (is.contains(old_name) || agents == Texts{std::string(kCopilotSetup)}) continue;
    const auto same = std::ranges::find_if(is, [&](const auto& entry) {
      return entry.second == agents && !was.contains(entry.first) && !names.contains(entry.first);
    });
    if (same != is.end()) names[same->first] = old_name;
  }
  const auto rename = [&](std::string& text) {
    for (const auto& [name, old_name] : names)
      if (text == name || (text.starts_with(name) && text[name.size()] == '|')) {
        text = old_name + text.substr(name.size());
        return;
      }
  };
  for_each_owner(after, [&](Owner& owner) {
    for (std::string* text : {&owner.space, &owner.part, &owner.within, &owner.covered_by})
      rename(*text);
  });
  for (std::string& part : after.parts)
    rename(part);
  for (Grant& grant : after.grants)
    rename(grant.gives);
  for (Scale& scale : after.scales)
    rename(scale.gives);
}

Row unread_row(Host host, const std::string& path, std::string what, std::int64_t line,
               bool is_before) {
  return {.effect = Effect::unread,
          .change = Change::unread,
          .weight = Weight::medium,
          .host = host,
          .kind = Kind::file,
          .after = std::move(what),
          .place = {path, line},
          .is_before = is_before,
          .why = std::string(why_of(Kind::file, Effect::unread))};
}

}  // namespace

std::string_view word_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::link:
      return "symbolic link";
    case EntryKind::submodule:
      return "submodule";
    case EntryKind::too_large:
      return "too large";
    default:
      return "cannot be read";
  }
}

void compare_facts(const Facts& before, const Facts& after, std::vector<Row>& rows) {
  Comparison(before, after, rows).run();
}

bool is_of_interest(std::string_view path) {
  return known_file(path).has_value() || host_of_folder(path).has_value();
}

bool is_instruction(std::string_view path) {
  const auto known = known_file(path);
  return known &&
         (known->row->reader == Reader::instruction || known->row->reader == Reader::agent ||
          known->row->reader == Reader::command || known->row->reader == Reader::skill);
}

std::optional<std::string> link_target(std::string_view path, std::string_view link) {
  if (link.empty() || link.starts_with('/')) return std::nullopt;
  Texts parts;
  const std::size_t folder = path.rfind('/');
  const std::string whole =
      folder == path.npos ? std::string(link) : fmt::format("{}/{}", path.substr(0, folder), link);
  for (const std::string_view part : split(whole, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.emplace_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  return join(parts, "/");
}

std::vector<Row> compare(const std::vector<FilePair>& given) {
  std::vector<FilePair> files = given;
  std::ranges::sort(files, {}, &FilePair::path);
  std::vector<Row> rows;
  Facts before, after;
  const auto renamed = renamed_workflows(files);
  for (const FilePair& file : files) {
    const auto known = known_file(file.path);
    if (!known) {
      const auto host = host_of_folder(file.path);
      const auto hides = [](const std::optional<Entry>& e) {
        return e && (e->kind != EntryKind::text || e->through_link);
      };
      if (host && file.before != file.after && (hides(file.before) || hides(file.after))) {
        const bool is_before = !hides(file.after);
        const Entry& entry = is_before ? *file.before : *file.after;
        rows.push_back(unread_row(
            *host, file.path,
            std::string(word_of(entry.kind == EntryKind::text ? EntryKind::link : entry.kind)), 1,
            is_before));
      }
      continue;
    }
    const auto old_name = renamed.find(file.path);
    Side was = side_of(*known, file.path, file.path, file.before);
    Side is = side_of(*known, file.path, old_name != renamed.end() ? old_name->second : file.path,
                      file.after);
    if (was.defect.is_set() || is.defect.is_set()) {
      const bool is_before = !is.defect.is_set();
      const Defect& defect = is_before ? was.defect : is.defect;
      Row row = unread_row(known->row->host, file.path, defect.what, defect.line, is_before);
      if (file.before == file.after) {  // the change has no part in it
        row.effect = Effect::tells;
        row.weight = Weight::low;
      }
      rows.push_back(std::move(row));
      continue;
    }
    follow_renamed_jobs(was.facts, is.facts);
    append(before, std::move(was.facts));
    append(after, std::move(is.facts));
  }
  compare_facts(before, after, rows);
  sort_rows(rows);
  return rows;
}

Decision decision_of(const std::vector<Row>& rows) {
  Decision out = Decision::allow;
  for (const Row& row : rows) {
    const Decision one = row.effect == Effect::unread     ? Decision::unverified
                         : row.effect != Effect::widens   ? Decision::allow
                         : row.weight == Weight::critical ? Decision::deny
                                                          : Decision::review;
    out = std::max(out, one);
  }
  return out;
}

std::string_view status_of(Decision decision) {
  switch (decision) {
    case Decision::allow:
      return "passed";
    case Decision::review:
      return "review_required";
    case Decision::unverified:
      return "insufficient_evidence";
    case Decision::deny:
      return "blocked";
  }
  return "";
}

}  // namespace gh::powers
