#include "store/libpq.h"

#include <string>

#include <dlfcn.h>
#include <fmt/format.h>

namespace gh::store {
namespace {

constexpr const char* kLibrary = "libpq.so.5";

struct Loaded {
  Libpq functions;
  std::string defect;
};

template <class Function>
bool find(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(::dlsym(library, name));
  return out != nullptr;
}

Loaded load() {
  Loaded out;
  void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  bool found = library != nullptr;
#define GH_PQ(name) found = found && find(library, #name, out.functions.name);
  GH_LIBPQ_FUNCTIONS(GH_PQ)
#undef GH_PQ
  if (found) return out;
  const char* const why = ::dlerror();
  out.defect = why != nullptr ? why : "unknown";
  return out;
}

}  // namespace

Result<const Libpq*> load_libpq() {
  static const Loaded once = load();
  if (once.defect.empty()) return &once.functions;
  return fail(Code::ledger_unavailable,
              fmt::format("a ledger in PostgreSQL needs {} (Debian package libpq5): {}", kLibrary,
                          once.defect));
}

}  // namespace gh::store
