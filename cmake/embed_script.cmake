# Writes OUT: one constant byte array for each of the comma-separated NAMES below ROOT, and their index.
# An empty file is refused, so that an empty answer of gh::data::find always means "no such file".
string(REPLACE "," ";" names "${NAMES}")
set(arrays "")
set(rows "")
set(count 0)
foreach(name IN LISTS names)
  file(READ ${ROOT}/${name} hex HEX)
  if(hex STREQUAL "")
    message(FATAL_ERROR "data/${name} is empty")
  endif()
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${count}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", {kFile${count}, sizeof kFile${count}}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "#include <array>

#include \"base/data.h\"

namespace gh::data {
namespace {
${arrays}constexpr std::array<File, ${count}> kFiles{{
${rows}}};
}  // namespace

std::span<const File> files() { return kFiles; }

}  // namespace gh::data
")
