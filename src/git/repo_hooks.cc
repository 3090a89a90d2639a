// What hooks of git ask, and what is set up for them.
#include <fmt/format.h>

#include "base/text.h"
#include "base/trailers.h"
#include "git/children.h"
#include "git/repo.h"
#include "git/tail.h"

namespace gh::git {

Result<std::vector<ObjectId>> Repo::commits_without(const ObjectId& to,
                                                    const std::vector<ObjectId>& known,
                                                    const KnownRefs& refs, std::size_t most) const {
  std::vector<std::string> words{"rev-list", fmt::format("--max-count={}", most + 1), to.hex()};
  for (const ObjectId& id : known)
    words.push_back("^" + id.hex());
  if (!refs.refs.empty()) words.emplace_back("--not");
  for (const std::string& pattern : refs.refs) {
    for (const std::string& other : refs.except)
      words.push_back("--exclude=" + other);  // of the next pattern alone
    words.push_back("--glob=" + pattern);
  }
  GH_TRY(out, answer(words, private_place(), {}, (most + 1) * 80));
  std::vector<ObjectId> commits;
  for (const std::string_view line : split(out, '\n'))
    if (const auto id = ObjectId::parse(line)) commits.push_back(*id);
  if (commits.size() > most)
    return fail(Code::document_too_large, fmt::format("more than {} commits at once", most));
  return commits;
}

Result<bool> Repo::is_said_between(const ObjectId& base, const ObjectId& tip,
                                   const std::string& words) const {
  GH_TRY(out, answer({"rev-list", "--max-count=1", "--fixed-strings", "--grep=" + words, tip.hex(),
                      "^" + base.hex()},
                     private_place(), {}, 80));
  return !out.empty();
}

Result<std::optional<ObjectId>> Repo::merged_tree(const ObjectId& a, const ObjectId& b) const {
  const Quarantine scratch = new_quarantine();
  GH_TRY(place, place_of(scratch));
  GH_TRY(run, execute({"merge-tree", "--write-tree", "--no-messages", a.hex(), b.hex()}, place));
  if (!run.ok()) return std::nullopt;  // conflicts, or a git that knows no such merge
  return ObjectId::parse(std::string_view(run.out).substr(0, run.out.find('\n')));
}

Result<std::string> Repo::with_trailers(std::string_view message,
                                        const std::vector<std::string>& lines) const {
  if (auto written = with_first_trailers(message, lines)) return *std::move(written);
  std::vector<std::string> words{"interpret-trailers", "--where", "end", "--if-exists", "replace",
                                 "--if-missing",       "add"};
  for (const std::string& line : lines) {
    words.emplace_back("--trailer");
    words.push_back(line);
  }
  return answer(words, private_place(), message);
}

Result<std::string> Repo::setting(const std::string& name) const {
  return setting_in(common_dir() + "/config", name);
}

Result<std::string> Repo::setting_in(const std::string& file, const std::string& name) const {
  GH_TRY(run, execute({"config", "--file", file, "--includes", "--get", name}, real_place()));
  if (run.exit_code == 1) return std::string();
  if (!run.ok()) return fail(Code::git_failed, "git config: " + output_tail(run.err, root()));
  return run.out.substr(0, run.out.find('\n'));
}

Result<std::vector<std::pair<std::string, std::string>>> Repo::settings_in(
    const std::string& file) const {
  GH_TRY(run, execute({"config", "--file", file, "--no-includes", "--list", "-z"}, real_place()));
  if (!run.ok()) return fail(Code::git_failed, "git config: " + output_tail(run.err, root()));
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string_view entry : split(run.out, '\0')) {
    if (entry.empty()) continue;
    const std::size_t end = entry.find('\n');  // none: the key alone
    out.emplace_back(entry.substr(0, end),
                     end == entry.npos ? std::string_view() : entry.substr(end + 1));
  }
  return out;
}

Result<bool> Repo::has_setting(const std::string& name, const std::string& value) const {
  GH_TRY(run,
         execute({"config", "--local", "--fixed-value", "--get-all", name, value}, real_place()));
  return run.ok();
}

Status Repo::add_setting(const std::string& name, const std::string& value) const {
  GH_TRY(is_there, has_setting(name, value));
  if (is_there) return {};
  return answer({"config", "--local", "--add", name, value}, real_place()).map([](auto&&) {});
}

Status Repo::drop_setting(const std::string& name, const std::string& value) const {
  GH_TRY(is_there, has_setting(name, value));
  if (!is_there) return {};
  return answer({"config", "--local", "--fixed-value", "--unset-all", name, value}, real_place())
      .map([](auto&&) {});
}

}  // namespace gh::git
