# Run by the build (cmake -P): OUT gets the constant NAME of HEADER, in namespace SPACE, one digest over SOURCES, globs below
# ROOT that are parted by commas, without tests.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" globs "${SOURCES}")
list(TRANSFORM globs PREPEND ${ROOT}/)
file(GLOB sources ${globs})
list(SORT sources)
set(all "")
foreach(source IN LISTS sources)
  if(NOT source MATCHES "_test\\.cc$")
    file(SHA256 ${source} digest)
    string(APPEND all ${digest})
  endif()
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"@HEADER@\"

namespace @SPACE@ {

constexpr std::string_view kId = \"@id@\";
const std::string_view @NAME@ = kId;

}  // namespace @SPACE@
" @ONLY)
