# Run by the build (cmake -P): one digest over all sources of the product.
cmake_minimum_required(VERSION 3.25)
file(GLOB sources ${ROOT}/src/*.cc ${ROOT}/src/*/*.cc ${ROOT}/src/*/*.h ${ROOT}/src/*/*.def ${ROOT}/programs/front/*.cc)
list(SORT sources)
set(all "")
foreach(source IN LISTS sources)
  if(NOT source MATCHES "_test\\.cc$")
    file(SHA256 ${source} digest)
    string(APPEND all ${digest})
  endif()
endforeach()
string(SHA256 id "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"base/build_id.h\"

namespace gh {

constexpr std::string_view kId = \"@id@\";
const std::string_view kBuildId = kId;

}  // namespace gh
" @ONLY)
