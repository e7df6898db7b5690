/** Two sessions of one storage at one file, and random work of both: who takes the other's unreviewed lines has to be asked. */
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { AgentPorts } from "../../src/core/agent/session/sessionTools";
import { edit, last, read, runTurn, type WorldOptions, world } from "./agent";
import { ScriptedModels } from "./model";
import { Random } from "./random";
import { rewinding } from "./rewinding";

export const URI = "file:///ws/app/src/a.ts";
export const LINES = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
export const text = (...lines: string[]) => lines.map(line => `${line}\n`).join("");
export const write = (content: string) => ({ name: "Write", input: { file_path: "src/a.ts", content } });
export const bash = (command: string) => ({ name: "Bash", input: { command } });
export type Call = { name: string; input: Record<string, string> };

export class TwoSessions {
  readonly agent;
  readonly sessions: Session[] = [];
  private readonly models: ScriptedModels[] = [];

  constructor(options: WorldOptions = {}) {
    this.agent = world({ mode: "auto", files: { "src/a.ts": text(...LINES) }, ...options });
  }

  /** One that joins them, in a window of its own. */
  async join(ports: Partial<AgentPorts> = {}, id?: string): Promise<Session> {
    const models = new ScriptedModels();
    const own = { ...this.agent.ports, ...rewinding(this.agent.files), models, ...ports };
    const session = await (id === undefined ? createSession(own) : openSession(own, id));
    this.sessions.push(session);
    this.models.push(models);
    return session;
  }

  /** The first session, "Fix login", has changed line `two`. */
  static async begin(options?: WorldOptions): Promise<TwoSessions> {
    const both = new TwoSessions(options);
    await both.turn(await both.join(), "Fix login", [read("src/a.ts"), edit("src/a.ts", "two", "TWO")]);
    return both;
  }

  get now(): string {
    return this.agent.files.inEditor("src/a.ts") ?? this.agent.files.onDisk("src/a.ts") ?? "";
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
    this.models[this.sessions.indexOf(session)]?.play(...calls.map(call => ({ calls: [call] })), { text: "Done." });
    await runTurn(session, words);
    end();
    await new Promise(resolve => setImmediate(resolve));
    return { asked, told: last(session, "result").forms.shown };
  }

  /** How many lines of a session's unreviewed edits are in the file: as the editor marks them. */
  async left(session: Session): Promise<number> {
    const changes = await session.review.changesIn(URI, this.now);
    return changes.reduce((sum, { count }) => sum + (count || 1), 0);
  }
}

/** What became of so many random calls of two sessions, in either order. `lost`: lines went unasked, or after a no; `unnamed`: without the other's name */
export async function randomWork(seed: number, times: number) {
  const random = new Random(seed);
  const both = new TwoSessions();
  const names = ["Fix login", "Make it faster"];
  for (const _ of names) await both.join();
  const { agent, sessions } = both;
  const made = { calls: 0, met: 0, lost: 0, unnamed: 0 };
  for (let at = 0; at < times; at += 1) {
    const who = random.int(0, 1);
    const [session, other] = [sessions[who], sessions[1 - who]] as [Session, Session];
    const before = both.now;
    const lines = before.split("\n").slice(0, -1);
    const line = random.pick(lines.length > 0 ? lines : [""]);
    const changed = lines.map(each => (random.chance(0.3) ? `${each.slice(0, 3)} ${at}` : each));
    const script = text(...changed.slice(random.int(0, 1)));
    agent.shell.add("python3 fix.py", { does: () => agent.files.put("src/a.ts", script) });
    agent.shell.add("git checkout -- src/a.ts", { does: () => agent.files.put("src/a.ts", text(...LINES)) });
    agent.shell.add("rm src/a.ts", { does: () => agent.files.remove("src/a.ts") });
    const work = random.weighted({ edit: 6, write: 3, git: 1, rm: 1, script: 2, rewind: 1, keep: 1 });
    const calls: Record<string, Call[]> = {
      edit: [read("src/a.ts"), edit("src/a.ts", `${line}\n`, random.chance(0.2) ? "" : `${line.slice(0, 3)} ${at}\n`)],
      write: [read("src/a.ts"), write(text(...changed, `new ${at}`))],
      git: [bash("git checkout -- src/a.ts")],
      rm: [bash("rm src/a.ts")],
      script: [read("src/a.ts"), bash("python3 fix.py")],
    };
    const stood = await both.left(other);
    if (work === "keep") {
      for (const file of await session.review.list()) await session.review.keep(file);
    } else if (work === "rewind") {
      if (session.history.conversation.turn > 0)
        await session.rewind.rewind(session.rewind.newestTurn, "files").catch(() => undefined);
      if ((await both.left(other)) < stood) made.lost += 1;
    } else {
      made.calls += 1;
      const decision = random.chance(0.5) ? "allow" : "deny";
      const { asked, told } = await both.turn(session, names[who] ?? "", calls[work] ?? [], decision);
      const isLess = (await both.left(other)) < stood;
      const isNamed = [...asked, told].some(words => words.includes(names[1 - who] ?? ""));
      if (isLess || asked.length > 0) made.met += 1;
      if (isLess && !isNamed) made.unnamed += 1;
      if (isLess && work !== "script" && (decision === "deny" || asked.length === 0)) made.lost += 1;
    }
    if (both.now === "") agent.files.put("src/a.ts", text(...LINES));
  }
  return made;
}
