/**
 * The panel in a real browser: key to paint while an answer streams into 10,000 messages, beside the same in an empty
 * session; time to the composer and to the conversation; a fast scroll; memory over an hour; size of what is loaded.
 * On a machine that does other things too the figures of the empty session say how much of theirs is the machine's.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { buildPanelTests } from "../esbuild.mjs";
import { root } from "./lib/cli.mjs";
import { median, percentile, row, title } from "./lib/figures.mjs";

await buildPanelTests();
const { measureHours, measureScroll, measureTyping } = await import(
  pathToFileURL(join(root, "out/panel/typing.bench.mjs")).href
);

const empty = await measureTyping({ messages: 0, stream: false });
const opened = await measureTyping({ messages: 171, stream: false });
const full = await measureTyping({ messages: 10_000, stream: true });
const scrolled = await measureScroll(2_000);
const [early, begun, later] = await measureHours([6, 15, 60]);

title("Panel: typing while an answer streams into 10,000 messages (no GPU)");
row("key to paint, p95", percentile(full.keys, 0.95), { aim: 25, note: `median ${median(full.keys).toFixed(1)}` });
row("  empty session, nothing streams", percentile(empty.keys, 0.95));
row("frames over 50 ms", full.frames.filter(ms => ms > 50).length, {
  unit: "",
  digits: 0,
  aim: 0,
  note: `of ${full.frames.length}`,
});
row("longest frame", Math.max(...full.frames), { aim: 50 });
row("  longest task of the page, processor time", full.task, { note: "whatever else the machine does" });
row("layout shift", full.shift, { unit: "", digits: 3, aim: 0.05 });
row("elements in the page", full.elements, { unit: "", digits: 0 });
row("page opened to composer painted", median([empty.composer, opened.composer]), { aim: 350 });
row("a window of 400 records to painted", opened.conversation, {
  aim: 250,
  note: "of 300 ms for a click; bench history has the rest",
});
row("10,000 messages at once to painted", full.conversation);
row("  of it in the panel", full.drawing);

title("Panel: a fast scroll through 2,000 messages");
row("frames over 50 ms", scrolled.filter(ms => ms > 50).length, {
  unit: "",
  digits: 0,
  aim: 1,
  note: `of ${scrolled.length}, longest ${Math.max(...scrolled).toFixed(0)} ms`,
});

title("Panel: an hour of streaming, played fast");
row("heap after 6 minutes", early.heap / 1e6, { unit: "MB" });
row("heap after 15 minutes", begun.heap / 1e6, { unit: "MB", note: "by then the browser has compiled what it will" });
row("heap after 60 minutes", later.heap / 1e6, {
  unit: "MB",
  note: `${(later.text / 1e6).toFixed(1)} MB of text came`,
});
row("growth from 15 to 60 minutes", 100 * (later.heap / begun.heap - 1), { unit: "%", aim: 10 });

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
