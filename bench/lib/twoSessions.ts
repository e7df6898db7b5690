/** Two sessions of one storage at one file, and random work of both: who takes the other's unreviewed lines has to be asked. */
import assert from "node:assert/strict";
import { createSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { AgentPorts } from "../../src/core/agent/session/sessionTools";
import { OtherSessions } from "../../src/core/changes/review/otherSessions";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { last, runTurn, world } from "../../test/fakes/agent";
import { ScriptedModels } from "../../test/fakes/model";
import { Random } from "../../test/fakes/random";
import { rewinding } from "../../test/fakes/rewinding";

export const text = (lines: readonly string[]) => lines.map(line => `${line}\n`).join("");
export const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const URI = "file:///ws/app/src/a.ts";

/** `["Edit", "old", "new"]` of src/a.ts, `["Write", "content"]`, `["Bash", "command"]`, `["Read"]` */
export type Call = readonly string[];
function toCall([name = "", first = "", second = ""]: Call): { name: string; input: Record<string, string> } {
  const file = { file_path: "src/a.ts" };
  if (name === "Bash") return { name, input: { command: first } };
  if (name === "Edit") return { name, input: { ...file, old_string: first, new_string: second } };
  return { name, input: name === "Write" ? { ...file, content: first } : file };
}

export class TwoSessions {
  readonly agent = world({ mode: "auto", files: { "src/a.ts": text(LINES) } });
  readonly sessions: Session[] = [];
  private readonly models: ScriptedModels[] = [];

  /** The first session, "Fix login", has changed line `two`; the other has done nothing. */
  static async begin(ports: Partial<AgentPorts> = {}) {
    const both = new TwoSessions();
    const first = await both.join();
    await both.turn(first, "Fix login", [["Read"], ["Edit", "two", "TWO"]]);
    return { both, first, agent: both.agent, second: await both.join(ports) };
  }

  /** One that joins them, in a window of its own. */
  async join(ports: Partial<AgentPorts> = {}): Promise<Session> {
    const models = new ScriptedModels();
    const session = await createSession({ ...this.agent.ports, ...rewinding(this.agent.files), models, ...ports });
    this.sessions.push(session);
    this.models.push(models);
    return session;
  }

  get now(): string {
    return this.agent.files.onDisk("src/a.ts") ?? "";
  }

  /** @returns what was asked, and what the newest call gave the model */
  async turn(session: Session, words: string, calls: readonly Call[], decision: "allow" | "deny" = "allow") {
    const asked: string[] = [];
    const end = session.subscribe(event => {
      if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
      const { approvalId, action } = event.record;
      asked.push(action.reason ?? "");
      setImmediate(() => session.state === "asking" && session.answer(approvalId, { decision, scope: "once" }));
    });
    const models = this.models[this.sessions.indexOf(session)];
    models?.play(...calls.map(call => ({ calls: [toCall(call)] })), { text: "Done." });
    await runTurn(session, words);
    end();
    await new Promise(resolve => setImmediate(resolve));
    return { asked: asked.join("\n"), told: last(session, "result").forms.shown };
  }

  /** How many lines of a session's unreviewed edits are in the file: as the editor marks them. */
  async left(session: Session): Promise<number> {
    const changes = await session.review.changesIn(URI, this.now);
    return changes.reduce((sum, { count }) => sum + (count || 1), 0);
  }
}

/** Random calls of two sessions, in either order. `lost`: lines went unasked, or after a no; `unnamed`: without the other's name */
export async function randomWork(seed: number, times: number) {
  const random = new Random(seed);
  const both = new TwoSessions();
  const { agent } = both;
  const windows = [await both.join(), await both.join()].map((session, at) => ({ session, name: `Work ${at}` }));
  const made = { calls: 0, met: 0, lost: 0, unnamed: 0 };
  for (let at = 0; at < times; at += 1) {
    const [own, other] = random.chance(0.5) ? windows : windows.toReversed();
    if (!own || !other) break;
    const lines = both.now.split("\n").slice(0, -1);
    const line = random.pick(lines.length > 0 ? lines : [""]);
    const fresh = (old: string) => `${old.slice(0, 3)} ${at}`;
    const changed = lines.map(each => (random.chance(0.3) ? fresh(each) : each));
    agent.shell.add("make", { does: () => agent.files.put("src/a.ts", text(changed.slice(random.int(0, 1)))) });
    agent.shell.add("git checkout -- src/a.ts", { does: () => agent.files.put("src/a.ts", text(LINES)) });
    agent.shell.add("rm src/a.ts", { does: () => agent.files.remove("src/a.ts") });
    const work = random.weighted({ edit: 6, write: 3, git: 1, rm: 1, make: 2, rewind: 1, keep: 1 });
    const calls: Record<string, Call[]> = {
      edit: [["Read"], ["Edit", `${line}\n`, random.chance(0.2) ? "" : `${fresh(line)}\n`]],
      write: [["Read"], ["Write", text([...changed, `new ${at}`])]],
      git: [["Bash", "git checkout -- src/a.ts"]],
      rm: [["Bash", "rm src/a.ts"]],
      make: [["Read"], ["Bash", "make"]],
    };
    const stood = await both.left(other.session);
    const decision = random.chance(0.5) ? "allow" : "deny";
    let said = { asked: "", told: "" };
    if (work === "keep") for (const file of await own.session.review.list()) await own.session.review.keep(file);
    else if (work !== "rewind") said = await both.turn(own.session, own.name, calls[work] ?? [], decision);
    else if (own.session.history.conversation.turn > 0)
      await own.session.rewind.rewind(own.session.history.conversation.turn, "files").catch(() => undefined);
    const isLess = (await both.left(other.session)) < stood;
    made.calls += 1;
    if (isLess || said.asked !== "") made.met += 1;
    if (isLess && !(said.asked + said.told).includes(other.name)) made.unnamed += 1;
    if (isLess && work !== "make" && (decision === "deny" || said.asked === "")) made.lost += 1;
    if (both.now === "") agent.files.put("src/a.ts", text(LINES));
  }
  return made;
}

/** ms that an Edit waits for the look at other sessions, by what there is of them; the storage is on disk. */
export async function lookTimes(folder: string): Promise<Record<string, number[]>> {
  const storage = new NodeStorage(folder);
  const both = new TwoSessions();
  const [own, other] = [await both.join({ storage }), await both.join({ storage })];
  await both.turn(own, "Look", [["Read"]]);
  const { ports, files } = both.agent;
  const others = new OtherSessions({ ...ports, storage, history: own.history });
  const ref = await files.resolve("src/a.ts");
  const times: Record<string, number[]> = {};
  const look = async (name: string, isAsked: boolean) => {
    const proposal = { ref, before: both.now, after: "one\n" };
    const detail = { type: "read" as const, paths: [] };
    const call = { targets: [ref], title: "Edit", detail, binding: "", proposal, perform: async () => assert.fail() };
    times[name] = [];
    for (let at = 0; at < 31; at += 1) {
      const from = performance.now();
      const { asked } = await others.weigh(call, "Edit");
      times[name].push(performance.now() - from);
      assert.equal(asked !== false, isAsked);
    }
  };
  await look("alone", false);
  for (let at = 0; at < 1000; at += 1)
    await storage.unreviewed.put(`${at}`.padStart(16, "0").concat(`.s${at}`), "file:///x");
  await look("1,000 sessions with edits of other files", false);
  await both.turn(other, "Fix login", [["Read"], ["Edit", "two", "TWO"]]);
  await look("one with an edit of these lines", true);
  const output = "a line of output\n".repeat(500);
  both.agent.shell.add("make", { output: [["stdout", output]] });
  for (let at = 0; at < 40; at += 1) await both.turn(other, `Turn ${at}`, Array(20).fill(["Bash", "make"]));
  const bytes = (await other.history.files.readBytes("history.jsonl"))?.length ?? 0;
  await look(`the same, its log ${(bytes / 1e6).toFixed(1)} MB`, true);
  await both.turn(other, "Take it back", []);
  for (const file of await other.review.list()) await other.review.keep(file);
  await look("the same, reviewed", false);
  await Promise.all(both.sessions.map(session => session.close()));
  return times;
}
