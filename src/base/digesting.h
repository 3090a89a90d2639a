#pragma once
// SHA-256 of bytes that come piece by piece.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gh {

class Digesting {
 public:
  Digesting();
  void add(std::string_view bytes);
  std::string raw();  // 32 bytes; once, at the end
  std::string hex();  // the same in words

 private:
  alignas(8) std::array<std::byte, 128> state_{};
};

}  // namespace gh
