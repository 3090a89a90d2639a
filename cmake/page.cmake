# gh_build_page(OUT): the review page of web/, bundled by the packages that ./dev setup put into .cache/web, as one
# generated source that holds its files (src/serve/page_assets.h). Nothing that was built is in the repository.
function(gh_build_page out)
  set(generated ${CMAKE_BINARY_DIR}/generated/page_assets.cc)
  set(node ${CMAKE_SOURCE_DIR}/.cache/bin/node)
  if(NOT EXISTS ${node} OR NOT EXISTS ${CMAKE_SOURCE_DIR}/.cache/web/node_modules/vite)
    message(FATAL_ERROR "The packages of the page are not installed; run ./dev setup")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/*)
  add_custom_command(OUTPUT ${generated}
    COMMAND ${node} ${CMAKE_SOURCE_DIR}/web/build.mjs ${generated}
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/third_party/web/package-lock.json
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMENT "Building the review page" VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
