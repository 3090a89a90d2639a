#include "wire/simdjson_loader.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <simdjson.h>

namespace gh::wire {
namespace {

constexpr const char* kLibrary = "libsimdjson.so.14";
// The one function that the headers leave to the library: everything else hangs below what it
// gives.
constexpr const char* kEntry = "_ZN8simdjson25get_active_implementationEv";

using Entry = simdjson::internal::atomic_ptr<const simdjson::implementation>& (*)();

struct Loaded {
  Entry entry = nullptr;
  std::string defect;
};

Loaded load() {
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  void* const entry = library != nullptr ? ::dlsym(library, kEntry) : nullptr;
  if (entry != nullptr) return {reinterpret_cast<Entry>(entry), {}};
  const char* const why = ::dlerror();
  return {nullptr, why != nullptr ? why : "unknown"};
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

Status load_simdjson() {
  if (loaded().entry != nullptr) return {};
  return fail(Code::io_error, fmt::format("cannot load {}: {}", kLibrary, loaded().defect));
}

}  // namespace gh::wire

namespace simdjson {

internal::atomic_ptr<const implementation>& get_active_implementation() {
  GH_ASSERT(gh::wire::loaded().entry != nullptr);
  return gh::wire::loaded().entry();
}

}  // namespace simdjson
