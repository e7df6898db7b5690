/** `npm run unit -- NAME`: the Node tests whose path has this text (`core/permissions`, `merge`); without a name, all of them. */
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { explain, Problem } from "./lib/console.mjs";
import { ensureInstalled, onNewNode, root, toolEnvironment, toolPath } from "./lib/install.mjs";
import { end, start } from "./lib/processes.mjs";

try {
  await ensureInstalled();
  await onNewNode(fileURLToPath(import.meta.url));
  const name = process.argv[2] ?? "";
  const { buildTests } = await import("../esbuild.mjs");
  await buildTests(name || undefined);
  const files = globSync("out/test/**/*.test.mjs", { cwd: root }).filter(file =>
    file.replaceAll("\\", "/").includes(name),
  );
  if (files.length === 0) throw new Problem(`No test's path has "${name}" in it.`);
  const { command, ...options } = toolPath("mocha");
  const mocha = start(command, ["--enable-source-maps", ...files], {
    ...options,
    stdio: "inherit",
    env: toolEnvironment(),
  });
  mocha.once("exit", code => void end(code ?? 1));
} catch (error) {
  console.error(explain(error));
  await end(1);
}
