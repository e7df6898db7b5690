/**
 * The panel in a real browser: key to paint while an answer streams into 2,000 messages, beside the same in an empty
 * session; time to the composer and to the conversation; size of what is loaded.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { buildPanelTests } from "../esbuild.mjs";
import { root } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

await buildPanelTests();
const { measureTyping } = await import(pathToFileURL(join(root, "out/panel/typing.bench.mjs")).href);

const empty = await measureTyping({ messages: 0, stream: false });
const opened = await measureTyping({ messages: 171, stream: false });
const full = await measureTyping({ stream: true });

title("Panel: typing while an answer streams into 2,000 messages (no GPU)");
row("key to paint, p95", percentile(full.keys, 0.95), { aim: 40, note: `median ${median(full.keys).toFixed(1)}` });
row("  empty session, nothing streams", percentile(empty.keys, 0.95));
row("frames over 50 ms", full.frames.filter(ms => ms > 50).length, {
  unit: "",
  digits: 0,
  aim: 0,
  note: `of ${full.frames.length}`,
});
row("longest frame", Math.max(...full.frames));
row("elements in the page", full.elements, { unit: "", digits: 0 });
row("page opened to composer painted", median([empty.composer, opened.composer]), { aim: 350 });
row("a window of 400 records to painted", opened.conversation);
row("2,000 messages to painted", full.conversation, { aim: 300 });
row("  of it in the panel", full.drawing);

title("Panel: what is loaded");
const folder = join(root, "dist/webview");
for (const name of readdirSync(folder).filter(name => !name.endsWith(".map"))) {
  const compressed = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  row(name, statSync(join(folder, name)).size / 1024, {
    unit: "kB",
    digits: 0,
    note: `compressed ${(compressed / 1024).toFixed(0)}`,
  });
}
