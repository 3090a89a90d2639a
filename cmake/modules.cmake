# A module is a folder under src/, a static library gh_<name>, and the edges that src/LAYERS grants it.
# Sources are globbed: a new .cc is picked up at the next configure, a new _test.cc likewise.
file(STRINGS ${CMAKE_SOURCE_DIR}/src/LAYERS GH_LAYERS)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/LAYERS)

# Debian ships these as archives; linking them statically keeps process start short (docs/adr/0004).
set(GH_STATIC_LIBS_base -l:libcrypto.a -l:libutf8proc.a)
set(GH_STATIC_LIBS_wire -l:libyaml.a -l:libexpat.a)
set(GH_STATIC_LIBS_store -l:libsqlite3.a)
set(GH_STATIC_LIBS_runs -l:libminizip.a -l:libz.a -l:libsodium.a)
set(GH_STATIC_LIBS_serve -l:libz.a)
set(GH_STATIC_LIBS_http -l:libssl.a -l:libcrypto.a)
set(GH_STATIC_LIBS_policy -l:libre2.a)
set(GH_STATIC_LIBS_syntax gh_grammars)
set(GH_STATIC_LIBS_analysis -l:libxxhash.a)
set(GH_STATIC_LIBS_cache -l:libxxhash.a)

# Only its header is needed to build: the library is loaded when a ledger in PostgreSQL is opened (docs/adr/0009).
find_path(GH_LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)

# gh_source_id(OUT HEADER SPACE NAME GLOB...): a source with one digest over these sources (cmake/source_id.cmake).
function(gh_source_id out header space name)
  string(REGEX REPLACE ".*/(.*)\\.h$" "\\1" file ${header})
  set(generated ${CMAKE_BINARY_DIR}/${file}.cc)
  list(JOIN ARGN "," globs)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE absolute)
  file(GLOB sources CONFIGURE_DEPENDS ${absolute})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DOUT=${generated} -DHEADER=${header} -DSPACE=${space} -DNAME=${name}
            -DSOURCES=${globs} -P ${CMAKE_SOURCE_DIR}/cmake/source_id.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/source_id.cmake VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# Their time goes into git, files and the ledger, or into the modules below them; they are a third of what is compiled.
set(GH_COLD_MODULES runs report ops cli)
# A cold run stands beside the bare parse of the same files: here is what it adds.
set(GH_HOT_MODULES syntax analysis)

# gh_join(OUT FOLDER SIZE ROOT SOURCE...): few sources that include these, SIZE at most each, for a build that takes a third
# of the time (tools/unity.py); with GH_UNITY=OFF, which editors and linters want, the sources as they are.
find_program(GH_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
function(gh_join out folder size root)
  set(sources ${ARGN})
  if(GH_UNITY)
    execute_process(COMMAND ${GH_PYTHON} ${CMAKE_SOURCE_DIR}/tools/unity.py --rename ${CMAKE_BINARY_DIR}/unity/${folder} ${size}
        ${root} ${ARGN}
      OUTPUT_VARIABLE joined OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" sources "${joined}")
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

function(gh_add_modules)
  foreach(line IN LISTS GH_LAYERS)
    string(REGEX MATCH "^([a-z.]+):(.*)$" _ "${line}")
    set(name ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "[a-z]+" deps "${CMAKE_MATCH_2}")
    if(name MATCHES "\\.cc$" OR NOT IS_DIRECTORY ${CMAKE_SOURCE_DIR}/src/${name})
      continue()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
    list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
    if(NOT sources)
      continue()
    endif()
    gh_join(sources ${name} 24 ${CMAKE_SOURCE_DIR}/src ${sources})
    if(name STREQUAL base)
      gh_embed_data(data_source)
      # all of the product: rules that another build compiled are not taken
      gh_source_id(build_id_source base/build_id.h gh kBuildId src/*.cc src/*/*.cc src/*/*.h src/*/*.def programs/front/*.cc)
      list(APPEND sources ${data_source} ${build_id_source})
    endif()
    if(name STREQUAL serve)
      gh_build_page(page_source)
      list(APPEND sources ${page_source})
    endif()
    if(name STREQUAL analysis)
      # what decides the facts of a file: facts that another engine left in a cache are never found
      gh_source_id(engine_id_source analysis/engine_id.h gh::analysis kEngineId src/syntax/*.cc src/syntax/*.h
        src/analysis/*.cc src/analysis/*.h third_party/grammars/package-lock.json)
      list(APPEND sources ${engine_id_source})
    endif()
    add_library(gh_${name} STATIC ${sources})
    if(name IN_LIST GH_COLD_MODULES)
      target_compile_options(gh_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(name IN_LIST GH_HOT_MODULES)
      target_compile_options(gh_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
    endif()
    if(GH_PCH)
      if(name STREQUAL base)
        target_precompile_headers(gh_base PRIVATE <algorithm> <array> <cstdint> <map> <optional>
          <string> <string_view> <utility> <variant> <vector> <tl/expected.hpp> <fmt/format.h>)
      elseif(TARGET gh_base)
        target_precompile_headers(gh_${name} REUSE_FROM gh_base)
      endif()
    endif()
    foreach(dep IN LISTS deps)
      if(TARGET gh_${dep})
        target_link_libraries(gh_${name} PUBLIC gh_${dep})
      endif()
    endforeach()
    if(name STREQUAL store)
      target_include_directories(gh_store SYSTEM PRIVATE ${GH_LIBPQ_INCLUDE})
    endif()
    target_link_libraries(gh_${name} PUBLIC ${GH_STATIC_LIBS_${name}} pthread dl)
    list(APPEND modules gh_${name})
  endforeach()
  set(GH_MODULES ${modules} PARENT_SCOPE)
endfunction()

# gh_compile_as_test(TARGET HEADER...): what is tested is optimised as shipped; the tests themselves need to compile fast, which
# clang does twice as fast as g++ (docs/adr/0032). The headers are precompiled.
find_program(GH_TEST_CXX clang++-14)
function(gh_compile_as_test target)
  if(GH_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE -Wno-dangling-else)
  if(GH_TEST_CXX AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
    list(POP_BACK launcher ccache)
    set_target_properties(${target} PROPERTIES
      CXX_COMPILER_LAUNCHER "${launcher};${CMAKE_SOURCE_DIR}/tools/compile-with;${GH_TEST_CXX};${ccache}")
    target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()
