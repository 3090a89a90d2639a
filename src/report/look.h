#pragma once
// How an answer is to be drawn. The door knows; renderers are pure functions of it.
#include <cstdint>
#include <string>
#include <string_view>

namespace gh::report {

struct Look {
  int width = 100;  // columns; paths and code are never wrapped
  bool colour = false;
  bool terminal = false;  // what is printed may drive one
  bool ascii = false;     // no symbols beyond ASCII
  int verbosity = 0;      // -1 quiet, 0, 1, 2
};

enum class Ink : std::uint8_t { plain, bold, dim, good, warning, bad, accent };

/// `text` in `ink`, or unchanged when colour is off. Meaning never rests on colour alone.
std::string paint(const Look&, Ink, std::string_view text);

}  // namespace gh::report
