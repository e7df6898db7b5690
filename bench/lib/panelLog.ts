/** A long conversation as it is on disk, for bench/panel.mjs: words, reads, edits with diffs, code, tables. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closing, testOutput } from "../../test/panel/scenes";
import { invoiceDiff, Script, START } from "../../test/panel/script";

export const words = `${closing}\n\n${testOutput}\n\n`;

/** Turns of three messages each: a question, an answer with two calls, an answer with code and a table. */
export function conversation(messages: number): Script {
  const script = new Script();
  for (let turn = 1; turn * 3 <= messages + 2; turn += 1) {
    script.user(`question ${turn} about @src/invoice.ts`);
    script.answer(`a${turn}`, "I'll look at it.", [
      [`r${turn}`, "Read", { file_path: "src/invoice.ts" }],
      [`e${turn}`, "Edit", { file_path: "src/invoice.ts" }],
    ]);
    script.result(`r${turn}`, "Read", { digest: "Read src/invoice.ts 1–84" });
    script.result(`e${turn}`, "Edit", { digest: "Edit src/invoice.ts +3 −1", changes: [invoiceDiff] });
    script.answer(`b${turn}`, closing).end("done");
  }
  return script;
}

/** @param folder of sessions */
export function writeSession(folder: string, id: string, messages: number): void {
  const title = `${id}: ${messages} messages`;
  mkdirSync(join(folder, id, "blobs"), { recursive: true });
  const { records } = conversation(messages).record({ kind: "title", title });
  const header = { kind: "header", version: 1, sessionId: id, created: START, archives: [] };
  writeFileSync(
    join(folder, id, "history.jsonl"),
    [header, ...records].map(line => `${JSON.stringify(line)}\n`).join(""),
  );
  const meta = { id, title, created: Date.now(), updated: Date.now(), turns: Math.ceil(messages / 3) };
  writeFileSync(join(folder, id, "meta.json"), `${JSON.stringify(meta)}\n`);
}
