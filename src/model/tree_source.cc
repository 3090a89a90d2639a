#include "model/tree_source.h"

#include <algorithm>

namespace gh {

bool comes_before(std::string_view a, bool a_is_folder, std::string_view b, bool b_is_folder) {
  const std::size_t common = std::min(a.size(), b.size());
  if (const int order = a.compare(0, common, b, 0, common); order != 0) return order < 0;
  const auto next = [common](std::string_view name, bool is_folder) {
    return name.size() > common ? static_cast<unsigned char>(name[common]) : is_folder ? '/' : 0;
  };
  return next(a, a_is_folder) < next(b, b_is_folder);
}

void append_entry(std::string& tree, std::string_view name, FileMode mode, const ObjectId& id) {
  tree += mode == FileMode::tree ? "40000" : to_string(mode);
  tree += ' ';
  tree += name;
  tree += '\0';
  tree += id.raw();
}

Tree::Tree(const std::vector<TreeEntry>& entries) {
  std::string bytes;
  std::vector<Slot> slots;
  const HashKind kind = entries.empty() ? HashKind::sha1 : entries.front().id.kind();
  for (const TreeEntry& e : entries) {
    append_entry(bytes, e.name, e.mode, e.id);
    const std::size_t name_at = bytes.size() - ObjectId::size_of(kind) - 1 - e.name.size();
    slots.push_back(
        {static_cast<std::uint32_t>(name_at), static_cast<std::uint32_t>(e.name.size()), e.mode});
  }
  *this = Tree(std::move(bytes), std::move(slots), kind);
}

TreeEntryView Tree::operator[](std::size_t i) const {
  const Slot& slot = state_->slots[i];
  const std::string_view bytes = state_->bytes;
  return {name(slot), slot.mode,
          ObjectId::from_raw(bytes.substr(slot.name_at + slot.name_size + 1, state_->id_size))};
}

std::optional<TreeEntry> Tree::find(std::string_view name, bool as_folder) const {
  const auto& slots = state_->slots;
  const auto at = std::partition_point(slots.begin(), slots.end(), [&](const Slot& slot) {
    return comes_before(this->name(slot), slot.mode == FileMode::tree, name, as_folder);
  });
  if (at == slots.end() || this->name(*at) != name || (at->mode == FileMode::tree) != as_folder)
    return std::nullopt;
  return (*this)[static_cast<std::size_t>(at - slots.begin())].owned();
}

std::optional<TreeEntry> Tree::find(std::string_view name) const {
  if (auto file = find(name, false)) return file;
  return find(name, true);
}

}  // namespace gh
