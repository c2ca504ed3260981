# The include table of docs/architecture.md, checked on the sources.
#   cmake -DROOT=DIR -P check_includes.cmake              names every forbidden include and fails
#   cmake -DSELF_TEST=DIR -P check_includes.cmake         plants includes in DIR, expects the right verdict
cmake_minimum_required(VERSION 3.25)

# A room's files may include, in quotes, only what its ALLOW matches, and in angle brackets nothing
# that its DENY matches. The first room whose PATH matches a file decides.
set(rooms "")
function(room name)
  cmake_parse_arguments(arg "" "PATH;ALLOW;DENY" "" ${ARGN})
  set(rooms ${rooms} ${name} PARENT_SCOPE)
  set(${name}_path "${arg_PATH}" PARENT_SCOPE)
  set(${name}_allow "${arg_ALLOW}" PARENT_SCOPE)
  set(${name}_deny "${arg_DENY}" PARENT_SCOPE)
endfunction()

set(network "boost/(asio|beast)|sys/socket|netinet/")
room(codec PATH "schema/codec[a-z_]*\\.cc" ALLOW "schema/|topodb_generated\\.h"
     DENY "boost/|rocksdb/|CLI/|unicode/|simdjson|sys/")
room(text PATH "schema/base/text\\.cc" ALLOW "schema/"
     DENY "boost/|rocksdb/|CLI/|simdjson|flatbuffers/|sys/|filesystem|fstream|chrono")
room(schema PATH "schema/" ALLOW "schema/"
     DENY "boost/|rocksdb/|CLI/|unicode/|simdjson|flatbuffers/|sys/|filesystem|fstream|chrono")
room(rocks PATH "store/rocks_kv[a-z_]*\\.cc" ALLOW "schema/|store/"
     DENY "boost/|CLI/|unicode/|simdjson|flatbuffers/")
room(store PATH "store/" ALLOW "schema/|store/"
     DENY "boost/|rocksdb/|CLI/|unicode/|simdjson|flatbuffers/")
room(capture PATH "capture/" ALLOW "schema/|capture/" DENY "rocksdb/|CLI/|flatbuffers/")
room(replay PATH "query/replay/"
     ALLOW "schema/|query/|store/graph_(reader|store)\\.h|capture/(browser/(page_driver|clock)\\.h|locate/|settle/|risk/|guard/|completion/)"
     DENY "rocksdb/|CLI/|flatbuffers/|simdjson|${network}")
room(query PATH "query/" ALLOW "schema/|query/|store/"
     DENY "rocksdb/|CLI/|flatbuffers/|simdjson|${network}")
room(cli PATH "cli/" ALLOW "schema/|store/graph_|store/kv\\.h|query/|cli/|capture/([a-z]+\\.h|[a-z]+/)"
     DENY "rocksdb/|flatbuffers/|simdjson|unicode/|${network}")
# What an allowed prefix still leaves out.
set(query_except "store/(rocks_kv|graph_writer)\\.h|query/replay/")
set(cli_except "capture/cdp/|store/graph_writer\\.h")

function(forbidden_includes root out)
  set(found "")
  file(GLOB_RECURSE files RELATIVE ${root} ${root}/schema/* ${root}/store/* ${root}/capture/*
       ${root}/query/* ${root}/cli/*)
  foreach(file ${files})
    if(NOT file MATCHES "\\.(h|cc)$")
      continue()
    endif()
    foreach(room ${rooms})
      if(file MATCHES "^${${room}_path}")
        set(name ${room})
        break()
      endif()
    endforeach()
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line ${lines})
      if(line MATCHES "\"([^\"]+)\"")
        set(header ${CMAKE_MATCH_1})
        if(NOT header MATCHES "^(${${name}_allow})" OR
           (DEFINED ${name}_except AND header MATCHES "^(${${name}_except})"))
          list(APPEND found "${file}: room ${name} may not include \"${header}\"")
        endif()
      elseif(line MATCHES "<([^>]+)>")
        set(header ${CMAKE_MATCH_1})
        if(header MATCHES "^(${${name}_deny})")
          list(APPEND found "${file}: room ${name} may not include <${header}>")
        endif()
      endif()
    endforeach()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# expect(DIR FILE LINE refused|accepted)
function(expect root file line want)
  file(REMOVE_RECURSE ${root})
  file(WRITE ${root}/${file} "${line}\n")
  forbidden_includes(${root} found)
  if((want STREQUAL "refused" AND NOT found) OR (want STREQUAL "accepted" AND found))
    message(SEND_ERROR "${file} with ${line} should be ${want}; found: ${found}")
  endif()
endfunction()

if(SELF_TEST)
  expect(${SELF_TEST} schema/model.h "#include \"store/kv.h\"" refused)
  expect(${SELF_TEST} schema/model.h "#include <rocksdb/db.h>" refused)
  expect(${SELF_TEST} schema/model.h "#include <fmt/format.h>" accepted)
  expect(${SELF_TEST} schema/codec.cc "#include <flatbuffers/flatbuffers.h>" accepted)
  expect(${SELF_TEST} schema/names.cc "#include <flatbuffers/flatbuffers.h>" refused)
  expect(${SELF_TEST} schema/base/text.cc "#include <unicode/normalizer2.h>" accepted)
  expect(${SELF_TEST} schema/base/text.h "#include <unicode/normalizer2.h>" refused)
  expect(${SELF_TEST} schema/names.cc "#include <unicode/normalizer2.h>" refused)
  expect(${SELF_TEST} store/keys.cc "#include <rocksdb/db.h>" refused)
  expect(${SELF_TEST} store/rocks_kv.cc "#include <rocksdb/db.h>" accepted)
  expect(${SELF_TEST} store/keys.cc "#include \"capture/browser/clock.h\"" refused)
  expect(${SELF_TEST} capture/explore/explorer.cc "#include \"store/graph_store.h\"" refused)
  expect(${SELF_TEST} capture/cdp/session.cc "  #  include <boost/asio.hpp>" accepted)
  expect(${SELF_TEST} query/diff.cc "#include <boost/asio.hpp>" refused)
  expect(${SELF_TEST} query/diff.cc "#include \"capture/browser/clock.h\"" refused)
  expect(${SELF_TEST} query/diff.cc "#include \"store/rocks_kv.h\"" refused)
  expect(${SELF_TEST} query/replay/replayer.cc "#include \"capture/browser/page_driver.h\"" accepted)
  expect(${SELF_TEST} query/replay/replayer.cc "#include \"capture/cdp/session.h\"" refused)
  expect(${SELF_TEST} query/replay/replayer.cc "#include \"capture/explore/frontier.h\"" refused)
  expect(${SELF_TEST} cli/main.cc "#include \"capture/cdp/session.h\"" refused)
  expect(${SELF_TEST} cli/main.cc "#include \"store/keys.h\"" refused)
  expect(${SELF_TEST} cli/main.cc "#include \"store/graph_store.h\"" accepted)
  file(REMOVE_RECURSE ${SELF_TEST})
else()
  forbidden_includes(${ROOT} found)
  foreach(line ${found})
    message(SEND_ERROR "${line}")
  endforeach()
endif()
