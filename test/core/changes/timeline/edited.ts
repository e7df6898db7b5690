/** A session that has edited, for tests of what comes after. */
import assert from "node:assert/strict";
import { edit, read, runTurn, start } from "../../../fakes/agent";

export { edit };

export const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";
export const uri = "file:///ws/app/src/a.ts";
export const write = (file_path: string, content: string) => ({ name: "Write", input: { file_path, content } });

/** A turn that reads src/a.ts and makes these calls, each in a step of its own. */
export async function edited(calls: Parameters<typeof play>[1], options: Parameters<typeof start>[0] = {}) {
  const agent = await start({ mode: "auto", files: { "src/a.ts": LINES }, ...options });
  await play(agent, calls);
  return agent;
}

export async function play(
  { session, models }: Pick<Awaited<ReturnType<typeof start>>, "session" | "models">,
  calls: { name: string; input: Record<string, string>; id?: string }[],
) {
  models.play({ calls: [read("src/a.ts")] }, ...calls.map(call => ({ calls: [call] })), { text: "Done." });
  await runTurn(session, "go");
  const results = session.history.records.filter(record => record.kind === "result");
  for (const result of results.slice(-calls.length)) assert.equal(result.status, "success", result.forms.shown);
}

export const named = (id: string, call: { name: string; input: Record<string, string> }) => ({ ...call, id });

/** Told to the person. */
export const refused = (attempt: Promise<unknown>, message: RegExp) =>
  assert.rejects(attempt, { name: "SessionError", message });
