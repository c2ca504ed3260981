# topodb_warnings(target): the warnings every room is compiled with, all errors.
function(topodb_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Werror
    # Designated initialisers leave the rest to its default on purpose.
    -Wno-missing-field-initializers)
endfunction()
