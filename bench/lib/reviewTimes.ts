/** A review of changes, timed; bundled by bench/review.mjs. The session's files are on disk and synced, those of the workspace in memory. */
import { createSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { world } from "../../test/fakes/agent";

const LINES = 30_000;
const URI = "file:///ws/app/a.ts";

interface Reviewed {
  session: Session;
  text(): string;
  type(text: string): void;
}

/** A session whose agent changed every `each`th line of a file of 1 MB, or `lines` of them. */
async function reviewed(folder: string, lines: number, changes: number): Promise<Reviewed> {
  const base = Array.from({ length: lines }, (_, at) => `const value${at} = compute(${at * 7}, "text");`);
  const each = Math.floor(lines / changes);
  const agents = base.map((line, at) => (at % each === 0 ? `${line} // by the agent` : line));
  const { ports, models, files } = world({ mode: "auto" });
  const session = await createSession({ ...ports, storage: new NodeStorage(folder) });
  for (const text of [base, agents]) {
    for (const file of await session.review.list()) await session.review.keep(file);
    models.play(
      { calls: [{ name: "Write", input: { file_path: "a.ts", content: `${text.join("\n")}\n` } }] },
      { text: "Done." },
    );
    await session.submit("go");
    await session.idle();
  }
  const text = () => files.inEditor("a.ts") ?? files.onDisk("a.ts") ?? "";
  const [file] = await session.review.list();
  if (!file || file.changes < changes) throw new Error(`only ${file?.changes ?? 0} changes wait`);
  return { session, text, type: now => files.edit("a.ts", now) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** ms of each: what follows a key, and taking a change back. */
export async function reviewTimes(folder: string, lines: number, changes: number) {
  const { session, text, type } = await reviewed(folder, lines, changes);
  const [looks, undos]: [number[], number[]] = [[], []];
  for (let times = 0; times < 8; times += 1) {
    type(`typed ${times}\n${text()}`);
    session.review.touch(URI);
    const now = text();
    looks.push(await timed(() => session.review.changesIn(URI, now)));
    const all = await session.review.changesIn(URI, now);
    const { id } = all[Math.floor(all.length / 2)] ?? { id: "" };
    undos.push(await timed(() => session.review.undo(URI, id)));
  }
  const all = await timed(() => session.review.undo(URI));
  await session.close();
  return { looks: looks.slice(1), undos: undos.slice(1), all };
}

export const sizes = {
  "1 MB, 10 changes": [LINES, 10],
  "1 MB, 5,000 changes": [LINES, 5_000],
  "300 lines, 10 changes": [300, 10],
};
