#pragma once
// The events of libyaml, one after the other. A large document is scanned by a thread of its own,
// so that values are built meanwhile; the events are the same. Private to wire.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace gh::wire {

enum class YamlEventType : std::uint8_t {
  other,  // the start of the stream, the end of a document
  stream_end,
  document_start,
  alias,
  scalar,
  sequence_start,
  sequence_end,
  mapping_start,
  mapping_end,
};

/// Counted from 0, as libyaml does.
struct YamlPlace {
  std::size_t line = 0, column = 0;
};

/// What an event says. Texts live until the next one is asked for.
struct YamlEvent {
  YamlEventType type = YamlEventType::other;
  YamlPlace start{}, end{};
  std::string_view text{}, tag{}, anchor{};
  bool is_plain = false, is_flow = false, has_directives = false;
};

/// Why there are no more events.
struct YamlProblem {
  bool is_reader = false;  // `offset` says where, otherwise `mark`
  std::size_t offset = 0;
  YamlPlace mark{};
  const char* what = nullptr;  // of libyaml, static; nullptr: it did not say
};

class YamlEvents {
 public:
  explicit YamlEvents(std::string_view text);
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents();

  /// nullptr: this is not YAML, see `problem`. Not to be called after the end of the stream.
  const YamlEvent* next();
  const YamlProblem& problem() const;

 private:
  class Source;
  class Here;
  class Elsewhere;
  std::unique_ptr<Source> source_;
};

}  // namespace gh::wire
