/**
 * `npm run conformance` holds the terminal program, as built in dist/, against the client scenarios of
 * @modelcontextprotocol/conformance. What is expected to fail is named below with its reason; anything else fails the run.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const package_ = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** scenario → why it cannot pass */
const expected = {
  "auth/basic-cimd":
    "Strata has no document of its own on the web that describes it as a client: it registers instead (a warning)",
  "auth/2025-03-26-oauth-metadata-backcompat":
    "the metadata names another issuer than the one asked: RFC 8414, 3.3, which later revisions build on, forbids its use",
  "auth/client-credentials-jwt": "an extension for programs without a person",
  "auth/client-credentials-basic": "an extension for programs without a person",
  "auth/cross-app-access-complete-flow": "an extension for companies' own sign-in",
};

const run = (...args) =>
  spawnSync(process.execPath, [package_, ...args], { cwd: root, encoding: "utf8", timeout: 120_000 });

const program = process.env.STRATA_PROGRAM ?? join(root, "dist/cli.js");
if (!existsSync(program)) {
  console.error("There is no dist/cli.js: run npm run build first.");
  process.exit(1);
}
const list = run("list").stdout;
const scenarios = [...list.slice(list.indexOf("Client scenarios")).matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
const wanted = process.argv.slice(2);
const chosen = wanted.length > 0 ? wanted : scenarios;
let [unexpected, passed] = [0, 0];
for (const scenario of chosen) {
  const command = `node ${join(root, "test/mcp/conformanceClient.mjs")}`;
  const { status, stdout, stderr } = run("client", "--command", command, "--scenario", scenario);
  const [sum = "no result"] = /Passed: .*/.exec(stdout + stderr) ?? [];
  const reason = expected[scenario];
  const isAsExpected = (status === 0) === (reason === undefined);
  if (!isAsExpected) unexpected += 1;
  if (status === 0) passed += 1;
  const word = status === 0 ? "passed" : "failed";
  console.log(`${isAsExpected ? "✓" : "✗"} ${scenario}: ${word}, ${sum}${reason === undefined ? "" : ` (${reason})`}`);
}
console.log(`${passed} of ${chosen.length} passed, ${unexpected} not as expected`);
process.exit(unexpected === 0 ? 0 : 1);
