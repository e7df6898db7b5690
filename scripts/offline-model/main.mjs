/**
 * The offline model as a program:
 *
 *     node scripts/offline-model/main.mjs [--port N] [--script FILE] [--delay MS]
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startOfflineModel } from "./server.mjs";

/** @param {string[]} args */
async function main(args) {
  const option = name => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const file = option("--script");
  const module = file ? await import(pathToFileURL(resolve(file)).href) : undefined;
  const model = await startOfflineModel({
    port: Number(option("--port") ?? 0),
    chunkDelayMs: Number(option("--delay") ?? 0),
    ...(module ? { script: module.default ?? module.script } : {}),
  });
  process.stdout.write(`Offline model (plays a script) at ${model.url}\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => model.close().then(() => process.exit(0)));
}

await main(process.argv.slice(2));
