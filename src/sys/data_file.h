#pragma once
// One file that is read and written at places, and locked by one writer at a time.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sys/files.h"

namespace gh::sys {

/// The bytes of a file, read once. They stay where they are when this is moved. Never a mapping:
/// whoever shortens a mapped file ends the process that reads it.
class FileBytes {
 public:
  FileBytes() = default;
  std::string_view bytes() const { return {data_.get(), size_}; }

 private:
  friend class DataFile;
  explicit FileBytes(std::size_t size)
      : data_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}
  std::unique_ptr<char[]> data_{};
  std::size_t size_ = 0;
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
  /// So many from its beginning, likewise.
  Result<FileBytes> read_first(std::size_t bytes) const;
  Status write_at(std::uint64_t offset, std::string_view bytes) const;
  Status truncate(std::uint64_t size) const;
  /// It was of use just now: its time says so.
  void touch() const;
  /// False when another process has it. Held until the file is closed.
  bool try_lock() const;

 private:
  explicit DataFile(Fd fd) : fd_(std::move(fd)) {}
  Result<std::size_t> read_into(std::uint64_t offset, std::span<char>) const;
  Fd fd_;
};

}  // namespace gh::sys
