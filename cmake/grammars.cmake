# tree-sitter and its grammars: C sources of npm packages that ./dev setup put into .cache/grammars by
# third_party/grammars/package-lock.json. Nothing of them is in the repository, no code of theirs runs
# at build time, and every build folder shares one copy. Adds the library gh_grammars.
set(GH_GRAMMARS ${CMAKE_SOURCE_DIR}/.cache/grammars/node_modules)
set(GH_GRAMMAR_FOLDERS tree-sitter-python tree-sitter-c tree-sitter-cpp tree-sitter-javascript
  tree-sitter-typescript/typescript tree-sitter-typescript/tsx tree-sitter-go tree-sitter-rust
  tree-sitter-java)

function(gh_add_grammars)
  set(core ${GH_GRAMMARS}/tree-sitter/vendor/tree-sitter/lib)
  if(NOT EXISTS ${core}/src/lib.c)
    message(FATAL_ERROR "The grammars are not installed; run ./dev setup")
  endif()
  add_library(gh_grammars STATIC ${core}/src/lib.c)
  target_sources(gh_grammars PRIVATE
    ${CMAKE_SOURCE_DIR}/src/syntax/tree_walk.c        # reads structures of the core
    ${CMAKE_SOURCE_DIR}/src/syntax/bounded_parse.c)
  target_include_directories(gh_grammars SYSTEM PUBLIC ${core}/include PRIVATE ${core}/src)
  target_include_directories(gh_grammars PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(gh_grammars PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
  foreach(folder IN LISTS GH_GRAMMAR_FOLDERS)
    string(REGEX REPLACE "[^a-z]+" "_" name ${folder})
    file(GLOB sources ${GH_GRAMMARS}/${folder}/src/parser.c ${GH_GRAMMARS}/${folder}/src/scanner.c)
    add_library(${name} OBJECT ${sources})
    target_include_directories(${name} SYSTEM PRIVATE ${GH_GRAMMARS}/${folder}/src)
    target_sources(gh_grammars PRIVATE $<TARGET_OBJECTS:${name}>)
    list(APPEND targets ${name})
  endforeach()
  # Generated code: its warnings are nobody's here, and a slow parser in a debug build helps nobody.
  foreach(target IN LISTS targets ITEMS gh_grammars)
    target_compile_options(${target} PRIVATE -w -O2)
    # Scanners take their memory where the core does: it ends with the file, also when a parse is left in its middle.
    target_compile_definitions(${target} PRIVATE TREE_SITTER_REUSE_ALLOCATOR)
  endforeach()
endfunction()
