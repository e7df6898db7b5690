/** Tokens of the first request in this project (o200k), as they went over the wire: system, tools, and where it begins. */
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { root, runArgs, runProgram, temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";
import { startModel } from "./lib/model.mjs";

const work = temporary("bench-tokens");
const model = await startModel(() => ({ text: "Done." }));
try {
  await runProgram(
    runArgs({ url: model.url, workspace: root, storage: join(work.path, "storage"), prompt: "Fix the test" }),
  );
  const body = JSON.parse(model.requests[0].body);
  const tokens = value => encode(typeof value === "string" ? value : JSON.stringify(value)).length;
  const said = role => body.messages.filter(message => message.role === role).map(message => message.content);
  const facts = said("user").filter(text => text.startsWith("<system-reminder>"));
  const parts = [said("system").join("\n"), body.tools, facts.join("\n")].map(tokens);
  title("Tokens of the first request (o200k)");
  const names = ["system", `tools (${body.tools.length})`, "where it begins"];
  for (const [at, name] of names.entries()) row(name, parts[at], { unit: "", digits: 0 });
  const sum = parts.reduce((total, part) => total + part, 0);
  row("together", sum, { unit: "", digits: 0, aim: 2050 });
} finally {
  await model.close();
  work.remove();
}
