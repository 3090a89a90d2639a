#pragma once
// One file that is read and written at places, and locked by one writer at a time.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sys/files.h"

namespace gh::sys {

/// The bytes of a file as they lie in memory. Only of a file that is replaced and never cut.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();
  std::string_view bytes() const { return bytes_; }

 private:
  friend class DataFile;
  explicit Mapping(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes_{};
};

class DataFile {
 public:
  enum class For : std::uint8_t { reading, writing };  // writing makes the file (0600)
  /// A regular file and no symbolic link.
  static Result<DataFile> open(const std::string& path, For);

  /// It belongs to this user, and nobody else may write to it.
  bool is_private() const;
  Result<std::uint64_t> size() const;
  /// Is it the same file, however it was reached?
  bool is_same(const DataFile&) const;
  /// Fewer bytes than asked for only where the file ends. Several threads may read.
  Result<std::string> read_at(std::uint64_t offset, std::size_t bytes) const;
  /// All of it, to be read.
  Result<Mapping> map() const;
  Status write_at(std::uint64_t offset, std::string_view bytes) const;
  Status truncate(std::uint64_t size) const;
  /// It was of use just now: its time says so.
  void touch() const;
  /// False when another process has it. Held until the file is closed.
  bool try_lock() const;

 private:
  explicit DataFile(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace gh::sys
