#include "wire/yaml_events.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <yaml.h>

#include "base/error.h"

namespace gh::wire {
namespace {

constexpr std::size_t kLarge = 256 * 1024;  // below it a thread costs more than it saves

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

YamlPlace place_of(const yaml_mark_t& m) { return {m.line, m.column}; }

class Parser {
 public:
  explicit Parser(std::string_view text) {
    GH_ASSERT(yaml_parser_initialize(&parser_) != 0);  // fails only when out of memory
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }

  /// Its texts live until the next call.
  bool next(YamlEvent& out) {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) return false;
    out = {.start = place_of(event_.start_mark), .end = place_of(event_.end_mark)};
    const auto& data = event_.data;
    switch (event_.type) {
      case YAML_DOCUMENT_START_EVENT:
        out.type = YamlEventType::document_start;
        out.has_directives =
            data.document_start.version_directive != nullptr ||
            data.document_start.tag_directives.start != data.document_start.tag_directives.end;
        break;
      case YAML_ALIAS_EVENT:
        out.type = YamlEventType::alias;
        out.anchor = view(data.alias.anchor);
        break;
      case YAML_SCALAR_EVENT:
        out.type = YamlEventType::scalar;
        out.text = {reinterpret_cast<const char*>(data.scalar.value), data.scalar.length};
        out.tag = view(data.scalar.tag);
        out.anchor = view(data.scalar.anchor);
        out.is_plain = data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        break;
      case YAML_SEQUENCE_START_EVENT:
        out.type = YamlEventType::sequence_start;
        out.tag = view(data.sequence_start.tag);
        out.anchor = view(data.sequence_start.anchor);
        out.is_flow = data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
        break;
      case YAML_MAPPING_START_EVENT:
        out.type = YamlEventType::mapping_start;
        out.tag = view(data.mapping_start.tag);
        out.anchor = view(data.mapping_start.anchor);
        out.is_flow = data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
        break;
      case YAML_SEQUENCE_END_EVENT:
        out.type = YamlEventType::sequence_end;
        break;
      case YAML_MAPPING_END_EVENT:
        out.type = YamlEventType::mapping_end;
        break;
      case YAML_STREAM_END_EVENT:
        out.type = YamlEventType::stream_end;
        break;
      default:
        break;
    }
    return true;
  }

  YamlProblem problem() const {
    return {parser_.error == YAML_READER_ERROR, parser_.problem_offset,
            place_of(parser_.problem_mark), parser_.problem};
  }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

/// Events with their texts, which never move once they are in.
struct Batch {
  static constexpr std::size_t kEvents = 4096, kText = 128 * 1024;
  std::vector<YamlEvent> events{};
  std::string text{};
  bool ends = false;  // nothing comes after it

  void clear() {
    events.clear();
    text.clear();
    ends = false;
  }
  bool is_full() const { return events.size() == kEvents; }

  /// False when there is no room left for its texts.
  bool take(YamlEvent event) {
    const std::size_t needed = event.text.size() + event.tag.size() + event.anchor.size();
    if (text.capacity() - text.size() < needed) {
      if (!events.empty()) return false;
      text.reserve(needed);
    }
    for (std::string_view* part : {&event.text, &event.tag, &event.anchor}) {
      const std::size_t at = text.size();
      text.append(*part);
      *part = std::string_view(text).substr(at);
    }
    events.push_back(event);
    return true;
  }
};

}  // namespace

class YamlEvents::Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  virtual const YamlEvent* next() = 0;
  YamlProblem problem{};
};

class YamlEvents::Here : public Source {
 public:
  explicit Here(std::string_view text) : parser_(text) {}
  const YamlEvent* next() override {
    if (parser_.next(event_)) return &event_;
    problem = parser_.problem();
    return nullptr;
  }

 private:
  Parser parser_;
  YamlEvent event_;
};

/// Batches go round: some are filled while one is read.
class YamlEvents::Elsewhere : public Source {
 public:
  explicit Elsewhere(std::string_view text) {
    for (Batch& batch : batches_) {
      batch.events.reserve(Batch::kEvents);
      batch.text.reserve(Batch::kText);
    }
    thread_ = std::thread([this, text] { fill_all(text); });
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  ~Elsewhere() override {
    {
      const std::scoped_lock lock(mutex_);
      is_left_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  const YamlEvent* next() override {
    while (!is_open_ || at_ == batch().events.size()) {
      if (is_open_ && batch().ends) return nullptr;
      turn_page();
    }
    return &batch().events[at_++];
  }

 private:
  Batch& batch() { return batches_[read_ % batches_.size()]; }

  void turn_page() {
    std::unique_lock lock(mutex_);
    if (is_open_) {
      ++read_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return filled_ > read_; });
    is_open_ = true;
    at_ = 0;
  }

  void fill_all(std::string_view text) {
    Parser parser(text);
    YamlEvent event;
    bool is_kept = false;  // an event that found no room
    for (bool ends = false; !ends;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_left_ || filled_ - read_ < batches_.size(); });
        if (is_left_) return;
      }
      Batch& batch = batches_[filled_ % batches_.size()];
      batch.clear();
      while (!batch.is_full()) {
        if (!is_kept && !parser.next(event)) {
          problem = parser.problem();
          batch.ends = true;
          break;
        }
        is_kept = !batch.take(event);
        if (is_kept) break;
        batch.ends = event.type == YamlEventType::stream_end;
        if (batch.ends) break;
      }
      ends = batch.ends;
      {
        const std::scoped_lock lock(mutex_);
        ++filled_;
      }
      changed_.notify_all();
    }
  }

  std::array<Batch, 4> batches_{};
  std::size_t filled_ = 0, read_ = 0;  // how many batches were; guarded
  bool is_left_ = false;               // guarded
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t at_ = 0;    // in the batch that is read
  bool is_open_ = false;  // a batch is being read
  std::thread thread_;    // last: it uses all of the above
};

YamlEvents::YamlEvents(std::string_view text) {
  try {
    if (text.size() >= kLarge) source_ = std::make_unique<Elsewhere>(text);
  } catch (const std::system_error&) {  // no thread to be had
  }
  if (source_ == nullptr) source_ = std::make_unique<Here>(text);
}

YamlEvents::~YamlEvents() = default;
const YamlEvent* YamlEvents::next() { return source_->next(); }
const YamlProblem& YamlEvents::problem() const { return source_->problem; }

}  // namespace gh::wire
