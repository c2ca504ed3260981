// node validate.mjs SCHEMA FILE… : whether each document is of the schema; says where it is not.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";

const [schema, ...documents] = process.argv.slice(2);
const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(schema, "utf8")),
);
let wrong = 0;
for (const name of documents) {
  if (validate(JSON.parse(readFileSync(name, "utf8")))) continue;
  wrong += 1;
  for (const { instancePath, message, params } of validate.errors.slice(0, 20)) {
    console.log(`${name}: ${instancePath || "/"} ${message} ${JSON.stringify(params)}`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
