#pragma once
// Standard streams as the command line meets them: terminals, colour, pager, broken pipes, signals.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "report/look.h"
#include "sys/env.h"

namespace gh::cli {

struct Terminal {
  bool out_is_terminal = false, err_is_terminal = false;
  int columns = 100, rows = 0;
  bool in_is_terminal = false;
};
Terminal look_at_terminal(sys::Env&);

/// interfaces 5.2: colour, symbols and width. Pure.
report::Look choose_look(const Globals&, const Terminal&, sys::Env&, bool is_terminal);

enum class Written : std::uint8_t { all, reader_gone };

/// io_error when the stream cannot be written; a reader that went away is no error.
Result<Written> write_out(std::string_view bytes);
void write_err(std::string_view bytes);  // a stream that cannot be written is given up

/// $GATEHOUSE_PAGER, else $PAGER, else less, in words.
std::vector<std::string> pager_command(sys::Env&);

/// Through the pager when the text is longer than the screen, else directly.
Result<Written> write_paged(std::string_view text, const Terminal&, sys::Env&);

/// SIGPIPE is ignored. SIGINT and SIGTERM end the process at once with a line that says so, unless
/// held: then they are only noted, and a second one ends it.
void install_signal_handlers();
void hold_signals(bool);
void end_if_signalled();  // one that was noted while signals were held
int caught_signal();      // 0, SIGINT or SIGTERM

}  // namespace gh::cli
