#include "sys/memory.h"

#include <cstdint>
#include <cstdlib>
#include <limits>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace gh::sys {

void expect_memory(std::size_t bytes) {
#ifndef GH_SANITIZED  // which brings an allocator of its own
  constexpr std::size_t kLargePage = 2u << 20, kMost = 1u << 30;
  constexpr int kFromHeap = 32 << 20, kPiece = kFromHeap / 2;  // glibc takes no more
  if (bytes < kPiece || bytes > kMost) return;
  (void)::mallopt(M_MMAP_THRESHOLD, kFromHeap);
  (void)::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  (void)::mallopt(M_TOP_PAD, static_cast<int>(bytes - kPiece));
  // The heap has no such piece, so it grows now; the piece is its new end.
  void* const piece = std::malloc(kPiece);
  const auto start = (reinterpret_cast<std::uintptr_t>(piece) + kLargePage) / kLargePage;
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0)) / kLargePage;
  if (piece != nullptr && start < end)
    (void)::madvise(reinterpret_cast<void*>(start * kLargePage), (end - start) * kLargePage,
                    MADV_HUGEPAGE);
  std::free(piece);
  (void)::mallopt(M_TOP_PAD, kPiece);
  (void)::mallopt(M_MMAP_THRESHOLD, kPiece / 64);  // whole documents are given back as ever
#else
  (void)bytes;
#endif
}

}  // namespace gh::sys
