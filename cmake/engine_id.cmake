# Run by the build (cmake -P): one digest over the sources that decide what the facts of a file are.
# Facts that another engine left in a cache are never found.
cmake_minimum_required(VERSION 3.25)
file(GLOB sources ${ROOT}/src/syntax/*.cc ${ROOT}/src/syntax/*.h ${ROOT}/src/analysis/*.cc ${ROOT}/src/analysis/*.h
  ${ROOT}/third_party/grammars/package-lock.json)
list(SORT sources)
set(all "")
foreach(source IN LISTS sources)
  if(NOT source MATCHES "_test\\.cc$")
    file(SHA256 ${source} digest)
    string(APPEND all ${digest})
  endif()
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"analysis/engine_id.h\"

namespace gh::analysis {

constexpr std::string_view kId = \"@id@\";
const std::string_view kEngineId = kId;

}  // namespace gh::analysis
" @ONLY)
