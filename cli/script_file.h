#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "query/script/script.h"
#include "schema/base/result.h"
#include "schema/model.h"

namespace topodb::cli {

// The script in a file. kNotFound, kIo: the file; kInvalidArgument, kUnsupportedFormat: what is in
// it, with its name.
Result<script::Script> ReadScriptFile(const std::filesystem::path& path);

struct ScriptValues {
  std::vector<NameValue> values;      // of the script's variables
  std::vector<std::string> warnings;  // about how they were given
};

// Values for the script's variables: `given` are NAME=VALUE, NAME=@FILE or NAME=$OTHER (of the
// environment); a variable that is not given is looked for in the environment under its own name.
// One that is found nowhere is left out. kInvalidArgument: no such form, a name that the script
// does not have or that is given twice. kNotFound, kIo: the file.
Result<ScriptValues> ResolveScriptValues(const script::Script& script,
                                         const std::vector<std::string>& given);

// Whether a script may send the browser there: to web sites, but to no file and no address that
// belongs to a link or a cloud's metadata. The user may, with --base.
bool MayScriptOpen(std::string_view url);

}  // namespace topodb::cli
