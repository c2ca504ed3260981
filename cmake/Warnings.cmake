# topodb_warnings(target): the warnings every room is compiled with, all errors.
function(topodb_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Werror
    # Designated initialisers leave the rest to its default on purpose.
    -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
    # The fences are Asio's. ThreadSanitizer does not see them: it can warn of too much, not too little.
    target_compile_options(${target} PRIVATE -Wno-tsan)
  endif()
endfunction()
