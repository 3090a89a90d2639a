# gh_embed_data(OUT): every file under data/ becomes part of the binary, found by its path below data/
# through gh::data::find (src/base/data.h). OUT receives the generated source file.
function(gh_embed_data out)
  set(generated ${CMAKE_BINARY_DIR}/generated/data.cc)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/data ${CMAKE_SOURCE_DIR}/data/*)
  list(SORT files)
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/data/ OUTPUT_VARIABLE absolute)
  string(REPLACE ";" "," names "${files}")
  add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}/data -DOUT=${generated} "-DNAMES=${names}"
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${absolute} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    COMMENT "Embedding data/" VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
