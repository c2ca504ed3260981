# topodb_embed_text(target file symbol): compiles `file` into `target` as
#   namespace topodb { extern const std::string_view symbol; }
# Bytes, not a raw string literal (those break on )"…), rebuilt when the file changes.
function(topodb_embed_text target file symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DOUTPUT=${output}
            -DSYMBOL=${symbol} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
