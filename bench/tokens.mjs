/** Tokens of the first request (o200k), system and tools apart, as they went over the wire. */
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const work = temporary("bench-tokens");
const model = await startModel(() => ({ text: "Done." }));
try {
  await runProgram(
    runArgs({ url: model.url, workspace: work.path, storage: join(work.path, "storage"), prompt: "Fix the test" }),
  );
  const body = JSON.parse(model.requests[0].body);
  const tokens = value => encode(typeof value === "string" ? value : JSON.stringify(value)).length;
  const system = body.messages.filter(message => message.role === "system").map(message => message.content);
  title("Tokens of the first request (o200k)");
  row("system", tokens(system.join("\n")), { unit: "", digits: 0 });
  row(`tools (${body.tools.length})`, tokens(body.tools), { unit: "", digits: 0 });
  row("whole body", tokens(model.requests[0].body), { unit: "", digits: 0, aim: 1850 });
} finally {
  await model.close();
  work.remove();
}
