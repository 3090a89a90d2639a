// Results that may be forgotten at any time, found by the hash of what they were made from. Two
// files in one folder: records one after another (facts.gpk), and where each begins (facts.gpi).
// Whatever happens to them, a lookup gives what was put, or nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sys/data_file.h"

namespace gh::cache {

struct Key {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const Key&) const = default;
};

enum class PackStatus : std::uint8_t {
  ok,
  missing,
  too_large,
  unreadable,
  version_mismatch,
  integrity_failed,
};
std::string_view to_string(PackStatus);

class Pack {
 public:
  /// Never fails: a folder that is no use is an empty pack, and `status` says why.
  Pack(std::string folder, std::uint64_t max_bytes);
  PackStatus status() const { return status_; }

  /// Several threads may ask and put.
  std::optional<std::string> get(const Key&);
  void put(const Key&, std::string payload);

  /// Appends what was put. Another process that is writing now, or a full disk, only means that
  /// nothing is kept.
  void save();

  struct Entry {
    Key key{};
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t last_used = 0;  // number of the run
  };

 private:
  void read_index();
  bool take_index(std::uint64_t pack_size);
  void scan(std::uint64_t pack_size);
  Entry* find(const Key&);
  void append(const sys::DataFile&);
  bool read_again(const sys::DataFile&, std::uint64_t size);
  void compact();
  void write_index(std::uint64_t pack_size);

  std::string folder_;
  std::uint64_t max_bytes_;
  PackStatus status_ = PackStatus::missing;
  std::unique_ptr<sys::DataFile> file_{};
  std::vector<Entry> entries_{};  // by key
  std::uint64_t end_ = 0;         // of the last good record
  std::uint32_t run_ = 1;
  std::mutex putting_{};
  std::map<Key, std::string> fresh_{};
  std::vector<Key> damaged_{};
};

}  // namespace gh::cache
