// Claims of production access (proposals 3.6). A marker of the policy that has a row here is read
// as the row says; any other marker is text that must not occur as a word.
//
// These are the author's own words: the rows find honest claims, they do not guard a sandbox.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/path_rules.h"
#include "proposal/rules.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

struct Word {
  std::string_view text;
  bool is_program = false;  // stands where a shell looks for a program
};

struct Line {
  std::string_view text;
  std::vector<Word> words;
  const policy::ProposalPolicy& policy;
};

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals != word.npos && equals > 0 &&
         std::ranges::all_of(word.substr(0, equals), is_word_byte);
}

// Programs and shell words behind which the next word is a program again.
constexpr std::array<std::string_view, 14> kCarriers{"sudo",    "env",   "exec",  "nohup",  "time",
                                                     "timeout", "xargs", "nice",  "then",   "do",
                                                     "else",    "if",    "while", "command"};

bool is_carrier(std::string_view word) {
  return std::ranges::find(kCarriers, policy::basename(word)) != kCarriers.end();
}

/// What may stand between a carrier and its program.
bool is_carried_option(std::string_view word) {
  return word.starts_with('-') || is_assignment(word) || (word[0] >= '0' && word[0] <= '9');
}

/// Words of a command line, each with whether a program is expected there. Quotes only end words,
/// except behind -c, where they open a command line of their own.
std::vector<Word> words_of(std::string_view text) {
  constexpr std::string_view kSpace = " \t'\"", kRestart = ";|&()`{}\n";
  std::vector<Word> words;
  bool expects_program = true, carried = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (contains(kRestart, std::string_view(&c, 1))) {
      expects_program = true;
      carried = false;
      ++at;
      continue;
    }
    if (contains(kSpace, std::string_view(&c, 1))) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t'\";|&()`{}\n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool passes =
        expects_program && (is_assignment(word) || (carried && is_carried_option(word)));
    words.push_back({word, expects_program && !passes});
    if (!passes) {
      carried = expects_program && is_carrier(word);
      expects_program = carried || word == "-c";
    }
    at = end;
  }
  return words;
}

bool is_program(const Word& word, std::string_view name) {
  return word.is_program && policy::basename(word.text) == name;
}

/// Index of the first call of `name`; the words behind it are its arguments.
std::optional<std::size_t> call_of(const Line& line, std::string_view name) {
  for (std::size_t i = 0; i < line.words.size(); ++i)
    if (is_program(line.words[i], name)) return i;
  return {};
}

bool is_sandbox_host(std::string_view host, const policy::ProposalPolicy& policy) {
  const std::string name = lower(host);
  return std::ranges::any_of(policy.sandbox_hosts, [&](const std::string& known) {
    return policy::matches_glob(name, lower(known));
  });
}

/// Values of an option: "--host X", "--host=X" and, for one letter, "-hX".
std::vector<std::string_view> values_of(const Line& line, std::string_view option) {
  std::vector<std::string_view> values;
  const bool is_long = option.starts_with("--");
  for (std::size_t i = 0; i < line.words.size(); ++i) {
    const std::string_view word = line.words[i].text;
    if (word == option && i + 1 < line.words.size()) {
      values.push_back(line.words[i + 1].text);
    } else if (is_long && word.starts_with(option) && word.substr(option.size()).starts_with('=')) {
      values.push_back(word.substr(option.size() + 1));
    } else if (!is_long && word.size() > option.size() && word.starts_with(option)) {
      values.push_back(word.substr(option.size()));
    }
  }
  return values;
}

std::vector<std::string_view> values_of_any(const Line& line,
                                            std::span<const std::string_view> options) {
  std::vector<std::string_view> values;
  for (const std::string_view option : options) {
    const auto more = values_of(line, option);
    values.insert(values.end(), more.begin(), more.end());
  }
  return values;
}

/// Words between anything that is no letter and no digit, so that db_prod has the word prod.
bool has_part(std::string_view text, std::string_view part) {
  const std::string low = lower(text);
  const auto is_alnum = [](char c) { return is_word_byte(c) && c != '_'; };
  for (std::size_t at = low.find(part); at != low.npos; at = low.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if ((at == 0 || !is_alnum(low[at - 1])) && (end == low.size() || !is_alnum(low[end])))
      return true;
  }
  return false;
}

/// Hosts of the URLs of a line, without user, port and brackets.
std::vector<std::string_view> url_hosts(std::string_view text) {
  std::vector<std::string_view> hosts;
  for (std::size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 3)) {
    std::string_view rest = text.substr(at + 3);
    rest = rest.substr(0, rest.find_first_of("/?# \t'\"`;|&()<>"));
    if (const std::size_t user = rest.rfind('@'); user != rest.npos) rest.remove_prefix(user + 1);
    const bool bracketed = rest.starts_with('[');
    if (bracketed) rest.remove_prefix(1);
    hosts.push_back(rest.substr(0, rest.find(bracketed ? ']' : ':')));
  }
  return hosts;
}

// ---------------------------------------------------------------------------------------- rules

bool calls(const Line& line, std::string_view program) {
  const auto at = call_of(line, program);
  return at && *at + 1 < line.words.size();  // alone it reaches nothing
}

bool is_remote_place(std::string_view word) {
  const std::size_t colon = word.find(':');
  return colon != word.npos && colon > 0 && !word.starts_with('-') &&
         word.substr(0, colon).find('/') == word.npos;
}

bool copies_to_host(const Line& line, std::string_view program) {
  const auto at = call_of(line, program);
  return at && std::any_of(line.words.begin() + static_cast<std::ptrdiff_t>(*at), line.words.end(),
                           [](const Word& w) { return is_remote_place(w.text); });
}

constexpr std::array<std::string_view, 2> kContextOptions{"--context", "--kube-context"};
// Names that clusters on the author's own machine have.
constexpr std::array<std::string_view, 7> kLocalContexts{
    "minikube*", "kind-*", "k3d-*", "docker-desktop", "rancher-desktop", "colima*", "localhost"};

bool is_local_context(std::string_view name) {
  return std::ranges::any_of(kLocalContexts, [&](std::string_view pattern) {
    return policy::matches_glob(name, pattern);
  });
}

bool asks_cluster(const Line& line, std::string_view program) {
  if (!calls(line, program)) return false;
  const auto contexts = values_of_any(line, kContextOptions);
  return contexts.empty() || !std::ranges::all_of(contexts, is_local_context);
}

constexpr std::array<std::string_view, 2> kHostOptions{"--host", "-h"};

bool is_local_database(std::string_view host, const policy::ProposalPolicy& policy) {
  return host.starts_with('/') || is_sandbox_host(host.substr(0, host.find(':')), policy) ||
         is_sandbox_host(host, policy);
}

/// "host=db.example" inside a connection text, or a first argument "db.example:27017/name".
std::vector<std::string_view> database_hosts(const Line& line, std::size_t call) {
  auto hosts = values_of_any(line, kHostOptions);
  for (std::size_t i = call + 1; i < line.words.size(); ++i) {
    const std::string_view word = line.words[i].text;
    if (word.starts_with("host=")) hosts.push_back(word.substr(5));
    const bool is_address = !word.starts_with('-') && is_remote_place(word) &&
                            !contains(word, "://") && !contains(word, "=");
    if (is_address) hosts.push_back(word.substr(0, word.find(':')));
  }
  return hosts;
}

bool asks_database(const Line& line, std::string_view program) {
  for (const std::string_view name : {std::string(program), std::string(program) + "sh"}) {
    const auto at = call_of(line, name);
    if (!at) continue;
    for (const std::string_view host : database_hosts(line, *at))
      if (!is_local_database(host, line.policy)) return true;
    for (const std::string_view host : url_hosts(line.text))
      if (!host.empty() && !is_sandbox_host(host, line.policy)) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 2> kDockerOptions{"-H", "--host"};
bool asks_docker_host(const Line& line, std::string_view) {
  return call_of(line, "docker") && !values_of_any(line, kDockerOptions).empty();
}

bool sets_docker_host(const Line& line, std::string_view) {
  return std::ranges::any_of(line.words,
                             [](const Word& w) { return w.text.starts_with("DOCKER_HOST="); });
}

bool chooses_production(const Line& line, std::string_view) {
  return std::ranges::any_of(values_of_any(line, kContextOptions),
                             [](std::string_view name) { return lower(name).starts_with("prod"); });
}

// Options whose value names a host, a database or an environment.
constexpr std::array<std::string_view, 14> kNameOptions{
    "--host",        "-h",      "--database", "--dbname",    "--db",     "-d", "--env",
    "--environment", "--stage", "--profile",  "--namespace", "--target", "-n", "--context"};

/// user@host, host:place.
bool is_host_like(std::string_view word) {
  return (contains(word, "@") || is_remote_place(word)) && !contains(word, "://");
}

bool names_production(const Line& line, std::string_view part) {
  for (const std::string_view value : values_of_any(line, kNameOptions))
    if (has_part(value, part)) return true;
  for (const std::string_view host : url_hosts(line.text))
    if (has_part(host, part)) return true;
  return std::ranges::any_of(line.words, [&](const Word& w) {
    if (is_assignment(w.text)) return has_part(w.text.substr(w.text.find('=') + 1), part);
    return is_host_like(w.text) && has_part(w.text, part);
  });
}

bool touches_denied_host_path(const Line& line, std::string_view) {
  const std::string low = lower(line.text);
  return std::ranges::any_of(line.policy.deny_paths, [&](const std::string& prefix) {
    if (!prefix.starts_with('/')) return false;
    const std::string want = lower(prefix);
    for (std::size_t at = low.find(want); at != low.npos; at = low.find(want, at + 1)) {
      const std::size_t end = at + want.size();
      const bool whole =
          end == low.size() || !(is_word_byte(low[end]) || low[end] == '-' || low[end] == '.');
      if (whole) return true;
    }
    return false;
  });
}

bool asks_foreign_url(const Line& line, std::string_view) {
  return std::ranges::any_of(url_hosts(line.text), [&](std::string_view host) {
    return !host.empty() && !is_sandbox_host(host, line.policy);
  });
}

struct Marker {
  std::string_view name;
  bool (*hits)(const Line&, std::string_view name);
};
// table: production rules
constexpr std::array<Marker, 15> kMarkers{{
    {"ssh", calls},
    {"scp", calls},
    {"rsync", copies_to_host},
    {"kubectl", asks_cluster},
    {"helm", asks_cluster},
    {"psql", asks_database},
    {"mysql", asks_database},
    {"mongo", asks_database},
    {"docker -H", asks_docker_host},
    {"DOCKER_HOST=", sets_docker_host},
    {"--context prod", chooses_production},
    {"prod", names_production},
    {"production", names_production},
    {"deny_paths", touches_denied_host_path},
    {"url", asks_foreign_url},
}};

bool hits(const Line& line, std::string_view marker) {
  const auto row = std::ranges::find(kMarkers, marker, &Marker::name);
  return row == kMarkers.end() ? has_word(line.text, trimmed(marker)) : row->hits(line, marker);
}

}  // namespace

std::optional<std::string> production_marker(std::string_view command,
                                             const policy::ProposalPolicy& policy) {
  const Line line{command, words_of(command), policy};
  for (const std::string& marker : policy.production_markers)
    if (hits(line, marker)) return marker;
  return {};
}

}  // namespace gh::proposal
