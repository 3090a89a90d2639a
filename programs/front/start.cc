// The first instructions of the front. The start of glibc asks the processor 41 times what it can
// do, to choose the fastest copy of memcpy and its like; under a hypervisor each question is a trip
// out of the machine and back, and together they take longer than the front does. So the front
// starts itself: everything that glibc does for a program, in its order, without these questions.
// Every function is then the one that any processor can run. It is used only where the build has
// seen it work (start_check.cc); docs/adr/0031.
#include <cstddef>
#include <cstdint>

#include <elf.h>
#include <unistd.h>

extern "C" {
// Of glibc, inside of its archive.
void _dl_aux_init(Elf64_auxv_t*);
void __libc_setup_tls();
void __ctype_init();
extern char** __environ;
extern long __x86_shared_non_temporal_threshold;
// Of the linker.
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak, visibility("hidden")));
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak, visibility("hidden")));
using Constructor = void (*)(int, char**, char**);
extern const Constructor __init_array_start[] __attribute__((visibility("hidden")));
extern const Constructor __init_array_end[] __attribute__((visibility("hidden")));

int gh_front(int argc, char** argv);  // main() may not be called
[[noreturn]] void gh_start_with(std::uintptr_t* stack);
}

namespace {

constexpr long kNonTemporal = 0xc0000;  // copies larger than this go around the caches

// The compiler must not guard the stack of what runs before there is something to guard it with.

/// The choice of a function for this processor, which nothing is known of.
__attribute__((no_stack_protector)) void choose_functions() {
  for (const Elf64_Rela* row = __rela_iplt_start; row != __rela_iplt_end; ++row) {
    const auto choose = reinterpret_cast<std::uintptr_t (*)()>(row->r_addend);
    *reinterpret_cast<std::uintptr_t*>(row->r_offset) = choose();
  }
}

/// The kernel's sixteen random bytes, as glibc uses them: what guards stacks and kept pointers.
__attribute__((no_stack_protector)) void set_guards(const Elf64_auxv_t* facts) {
  const auto* random = static_cast<const std::uintptr_t*>(nullptr);
  for (; facts->a_type != AT_NULL; ++facts)
    if (facts->a_type == AT_RANDOM)
      random = reinterpret_cast<const std::uintptr_t*>(facts->a_un.a_val);
  if (random == nullptr) return;
  constexpr std::uintptr_t kLowByte = 0xff;
  const std::uintptr_t stack_guard = random[0] & ~kLowByte, pointer_guard = random[1];
  asm volatile("mov %0, %%fs:0x28" ::"r"(stack_guard));
  asm volatile("mov %0, %%fs:0x30" ::"r"(pointer_guard));
}

}  // namespace

__attribute__((used, no_stack_protector)) void gh_start_with(std::uintptr_t* stack) {
  const int argc = static_cast<int>(stack[0]);
  char** const argv = reinterpret_cast<char**>(stack + 1);
  __environ = argv + argc + 1;
  char** end = __environ;
  while (*end != nullptr)
    ++end;
  auto* const facts = reinterpret_cast<Elf64_auxv_t*>(end + 1);
  _dl_aux_init(facts);
  choose_functions();
  __x86_shared_non_temporal_threshold = kNonTemporal;
  __libc_setup_tls();
  set_guards(facts);
  __ctype_init();
  for (const Constructor* one = __init_array_start; one != __init_array_end; ++one)
    (*one)(argc, argv, __environ);
  _exit(gh_front(argc, argv));
}

asm(R"(
  .globl gh_start
  .type gh_start, @function
gh_start:
  xor %ebp, %ebp
  mov %rsp, %rdi
  and $-16, %rsp
  call gh_start_with
)");
