#include "analysis/known_facts.h"

#include "analysis/archive.h"
#include "analysis/engine_id.h"

namespace gh::analysis {
namespace {

Hash key_of(std::string_view blob, syntax::Language language) {
  Hasher hasher;
  hasher.add(kEngineId);
  hasher.add(static_cast<std::uint16_t>(language));
  hasher.add(blob);
  return hasher.finish();
}

}  // namespace

std::string facts_to_bytes(const FileFacts& facts) {
  ArchiveWriter writer;
  writer.expect(facts.bytes);  // about as many as the source has
  writer.put(facts);
  return writer.finish();
}

std::optional<FileFacts> facts_from_bytes(std::string_view bytes) {
  FileFacts out;
  ArchiveReader reader(bytes);
  reader.get(out);
  if (!reader.ok()) return std::nullopt;
  return out;
}

std::optional<FileFacts> KnownFacts::find(std::string_view blob, syntax::Language language) const {
  if (store_ == nullptr || blob.empty()) return std::nullopt;
  const auto bytes = store_->find(key_of(blob, language));
  return bytes ? facts_from_bytes(*bytes) : std::nullopt;
}

void KnownFacts::keep(std::string_view blob, syntax::Language language,
                      const FileFacts& facts) const {
  if (store_ != nullptr && !blob.empty())
    store_->keep(key_of(blob, language), facts_to_bytes(facts));
}

}  // namespace gh::analysis
