#include "analysis/known_facts.h"

#include <cstring>

#include "analysis/archive.h"
#include "analysis/engine_id.h"

namespace gh::analysis {
namespace {

Hash key_of(std::string_view what, std::string_view of, syntax::Language language) {
  Hasher hasher;
  hasher.add(kEngineId);
  hasher.add(what);
  hasher.add(static_cast<std::uint16_t>(language));
  hasher.add(of);
  return hasher.finish();
}

}  // namespace

std::string facts_to_bytes(const FileFacts& facts) {
  ArchiveWriter writer;
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

Hash KnownFacts::content_of(std::string_view bytes, syntax::Language language) const {
  if (store_ == nullptr) return {};
  const Hash content = hash_of(bytes);
  return key_of("content", {reinterpret_cast<const char*>(&content), sizeof content}, language);
}

std::optional<FileFacts> KnownFacts::by_content(const Hash& content) const {
  if (store_ == nullptr) return std::nullopt;
  const auto bytes = store_->find(content);
  return bytes ? facts_from_bytes(*bytes) : std::nullopt;
}

std::optional<FileFacts> KnownFacts::by_blob(std::string_view blob,
                                             syntax::Language language) const {
  if (store_ == nullptr || blob.empty()) return std::nullopt;
  const auto bytes = store_->find(key_of("blob", blob, language));
  Hash content;
  if (!bytes || bytes->size() != sizeof content) return std::nullopt;
  std::memcpy(&content, bytes->data(), sizeof content);
  return by_content(content);
}

void KnownFacts::remember_blob(std::string_view blob, syntax::Language language,
                               const Hash& content) const {
  if (store_ == nullptr || blob.empty()) return;
  store_->keep(key_of("blob", blob, language),
               std::string(reinterpret_cast<const char*>(&content), sizeof content));
}

void KnownFacts::keep(const Hash& content, const FileFacts& facts) const {
  if (store_ != nullptr) store_->keep(content, facts_to_bytes(facts));
}

}  // namespace gh::analysis
