#pragma once
// Reads the commands of a text and of the texts inside of it. What is asked of shells in general is
// in classify.cc, what single programs do in classify_programs.cc, git in classify_git.cc. Private
// to shell.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shell/arguments.h"
#include "shell/classify.h"
#include "shell/commands.h"
#include "shell/script.h"

namespace gh::shell {

inline constexpr std::size_t kMaxSearches = 256;  // for programs among the words of others

class Classifier {
 public:
  explicit Classifier(const Circumstances& circumstances) : circumstances_(circumstances) {}

  Reading read(std::string_view text);

 private:
  struct Text {
    std::string text{};
    std::optional<std::string> folder{};  // where it runs, seen from the start; none: nobody knows
    std::string git_lead{};               // as below
    bool drops_marks = false;             // as below
  };
  /// Where the commands of one list run.
  struct Place {
    std::uint32_t list = 0;
    std::optional<std::string> folder{};
    bool by_cd = false;  // it holds as long as commands are joined by &&
  };

  bool holds(std::string_view words) const;
  void opaque(std::string why);
  void bypass(std::string_view words);
  void read_texts();
  void read_text(const Text& text);
  void write(std::string_view path, std::string_view into = {}, bool makes_folder = false);
  void write(const Word& word, std::string_view into = {}, bool makes_folder = false);
  void read_command(const Command& command, const Script& script);
  void search_for_git(std::string_view text);
  bool pass_by_git(const Command& command, Words words);
  bool pass_by(const Command& command, Words words);
  bool take_over(Classifier& other);
  bool search_for_git(const Command& command, Words words);
  bool marks_agents(std::string_view name) const;
  bool takes_mark(std::string_view word) const;
  void unmark(std::string_view name, std::string_view shown);
  void assign(std::string_view name, std::string_view shown, std::string_view value = {});
  void run(const Command& command, Words words, const Script& script);
  void run_unknown(const Command& command, Words words);
  std::string_view read_name(const Word& word);
  Words behind(const WrapperRow& wrapper, Words words);
  bool take_from_environment(const Arguments::Option& option);
  void keep_name(std::string_view value);
  std::optional<std::string> below(std::string_view path) const;

  // --- programs ---
  void run_program(const Command& command, std::string_view name, Words words);
  void read_into(std::string_view name, Words words);
  void read_patches(const Command& command, Words words);
  void by_row(const CommandRow& row, Words words);
  void write_here(const CommandRow& row, const std::vector<const Word*>& operands);
  void source(const Command&, Words);
  void define(const Command&, Words words);
  void options(const Command&, Words words);
  void condition(const Command& command, Words words);
  void trap(const Command&, Words words);
  void run_text(const Command& command, const TextProgram& program, Words words);
  void declare(const Command& command, Words words);
  void set(const Command&, Words words);
  void unset(const Command&, Words words);
  void change(const Command& command, Words words);
  void copy_blocks(const Command&, Words words);
  void download(const DownloadRow& row, Words words);
  void evaluate(const Command&, Words words);
  void shell(const Command& command, Words words);
  void find(const Command& command, Words words);
  void sed(const Command&, Words words);
  void gatehouse(Words words, bool by_old_name);

  // --- git ---
  void git(const Command&, Words words);
  void git_here(std::string_view name, Words words);
  void git_texts(std::string_view name, Words words);
  void git_runs(Words words, bool is_git);
  void git_setting(const Word& setting);
  void set_remote(std::string_view words, std::string_view key, std::string_view value);
  void git_remote(const Arguments& arguments);
  void git_command(std::string_view name, Words words);
  void git_notes(Words words);
  void move_branches(std::string_view name, const Arguments& arguments);
  void by_branch_row(const BranchRow& row, const Arguments& arguments);
  void pushed(const BranchRow& row, const Arguments& arguments);
  void fetched(const BranchRow& row, const Arguments& arguments);
  void move_branch(const BranchRow& row, const Word& word, std::string_view name,
                   bool is_local = false);
  void git_paths(std::string_view name, const Arguments& arguments);
  void git_clean(const Arguments& arguments);
  void git_config(Words words);
  void only_reads_settings(const Arguments& arguments, const std::vector<const Word*>& operands);

  Circumstances circumstances_;
  bool holds_own_name_ = false;  // some variable names our own program
  bool holds_git_ = false;       // some variable names git
  bool hides_words_ = false;     // of a git that meets a gate some word is not known
  bool may_lack_marks_ = false;  // what follows may run without the host's variables
  bool adds_operands_ = false;   // of the command that is read not every word is known
  bool drops_marks_ = false;     // it runs as another user, who has none of the host's variables
  bool moves_home_ = false;      // it sets where git looks for settings
  bool by_path_ = false;         // its program is called by a path
  bool sees_git_ = false;        // some git in it is given a command
  bool names_others_ = false;    // some variable is a name for another one
  bool names_unknown_ = false;   // and nobody knows for which
  std::size_t searches_ = 0;     // for programs among the words of others
  std::string git_lead_{};       // what has its git look elsewhere for settings or programs
  std::string kept_lead_{};      // what has every git look elsewhere for settings
  Reading out_{};
  std::vector<Text> texts_{};
  std::optional<std::string> folder_{};                   // of the command that is read
  std::optional<std::optional<std::string>> moved_to_{};  // by it
};

}  // namespace gh::shell
