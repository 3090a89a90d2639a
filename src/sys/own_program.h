#pragma once
// The program that runs, and the one that people and hooks call: its front, where there is one
// (docs/adr/0031).
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::sys {

inline constexpr std::string_view kFront = "gatehouse", kWholeProgram = "gatehouse-main";

/// How glibc hands out the memory of the whole program: in large pages, and given back at the end.
/// A page that is touched for the first time costs more than most of what is done with it, and
/// threads would ask for each page by itself without top_pad, which is room in the address space
/// and no memory yet. glibc listens once, before a program starts; so the front says it, and the
/// whole program takes it out of the environment, which is that of git and of verify commands.
inline constexpr const char* kHeapVariable = "GLIBC_TUNABLES";
inline constexpr const char* kHeapInLargePages =
    "glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=268435456:"
    "glibc.malloc.mmap_threshold=33554432:glibc.malloc.top_pad=33554432";
/// A program that stays gives back what it no longer needs.
constexpr bool stays(std::string_view command) { return command == "serve" || command == "mcp"; }

/// Absolute. A name that is called stays the same when the program behind it is replaced.
Result<std::string> called_program();

}  // namespace gh::sys
