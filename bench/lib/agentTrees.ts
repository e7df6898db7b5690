/** Random trees of agents on a scripted model: what leaves past a budget or after Stop, what reports lead to, what the caller's requests begin with. */
import { createSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { resolveHandle } from "../../src/core/log/handles";
import { verifySession } from "../../src/core/proof/verify";
import type { Manifest } from "../../src/shared/manifest";
import type { Usage } from "../../src/shared/messages";
import type { LogRecord } from "../../src/shared/records";
import { world } from "../../test/fakes/agent";
import { eventually } from "../../test/fakes/eventually";
import { hash } from "../../test/fakes/hash";
import { type ScriptedAnswer, transcript } from "../../test/fakes/model";
import { Random } from "../../test/fakes/random";
import { MemorySkills, withHead } from "../../test/fakes/skills";
import type { DiskSession, MemoryDisk } from "../../test/fakes/storage";

type Agent = ReturnType<typeof world>;

/** The name of whoever asks: "" is the caller, "a.b" the task b of a. */
const nameIn = (asked: Parameters<typeof transcript>[0]): string =>
  transcript(asked)
    .flatMap(line => /^user:[\s\S]*?«do (\S+)»/.exec(line)?.[1] ?? [])
    .at(0) ?? "";

const logs = new WeakMap<DiskSession, { bytes: number; records: LogRecord[] }>();

/** What stands in a log now. */
function recordsOf(session: DiskSession): LogRecord[] {
  const text = session.files.get("history.jsonl");
  const known = logs.get(session);
  if (known && known.bytes === text?.length) return known.records;
  const lines = String(text ?? "").split("\n");
  const records = lines.slice(1, -1).map(line => JSON.parse(line) as LogRecord);
  logs.set(session, { bytes: text?.length ?? 0, records });
  return records;
}

function* below(disk: MemoryDisk | undefined): Generator<DiskSession> {
  for (const session of disk?.sessions.values() ?? []) {
    yield session;
    yield* below(session.below);
  }
}

/** Of the answers in a log. */
const usagesIn = (session: DiskSession): Usage[] =>
  recordsOf(session).flatMap(record => (record.kind === "message" ? (record.message.metadata.usage ?? []) : []));
const tokensOf = (usages: readonly Usage[]) => usages.reduce((sum, { input, output }) => sum + input + output, 0);

/** Names of those that had taken all that was signed for them. */
function overspent(disk: MemoryDisk): string[] {
  return [...below(disk)].flatMap(caller =>
    recordsOf(caller).flatMap(record => {
      if (record.kind !== "child" || record.phase !== "begun" || !record.budget) return [];
      const child = caller.below?.sessions.get(record.childId);
      const taken = child ? tokensOf([child, ...below(child.below)].flatMap(usagesIn)) : 0;
      return taken >= record.budget.tokens ? [record.title] : [];
    }),
  );
}

/** Names of those that its caller's log has no end of. */
function openIn(caller: DiskSession): string[] {
  const open = new Map<string, string>();
  for (const record of recordsOf(caller)) {
    if (record.kind === "child" && record.phase === "begun") open.set(record.childId, record.title);
    if (record.kind === "child" && record.phase === "ended") open.delete(record.childId);
  }
  return [...open.values()];
}

/** Plays one conversation each: answers of random kind, size and length. */
class Players {
  requests = 0;
  private tasks = 0;
  private readonly steps = new Map<string, number>();

  constructor(
    private readonly random: Random,
    private readonly hangs: boolean,
  ) {}

  answer(name: string): ScriptedAnswer {
    const { random } = this;
    this.requests++;
    const step = (this.steps.get(name) ?? 0) + 1;
    this.steps.set(name, step);
    const usage = { input: random.int(20, 2_500), output: random.int(1, 400) };
    const depth = name === "" ? 0 : name.split(".").length;
    if (depth > 0 && this.hangs && random.chance(0.15)) return { text: "…", hang: true, ...usage };
    if (random.chance(0.05)) return { fail: { code: "server", message: "Overloaded.", retryable: true } };
    const most = depth === 0 ? 4 : 6;
    const weights = depth === 0 ? { read: 2, task: 8, write: 1, end: 2 } : { read: 8, task: 2, write: 1, end: 3 };
    const does = step > most ? "end" : random.weighted(weights);
    if (does === "end") return { text: END, ...usage };
    const calls = Array.from({ length: random.int(1, does === "task" ? 5 : 2) }, () => this.call(does, name));
    return { text: random.chance(0.3) ? "I look." : "", calls, ...usage };
  }

  private call(
    does: "read" | "task" | "write",
    name: string,
  ): { name: string; input: Record<string, string | boolean> } {
    const { random } = this;
    const path = random.pick(["src/a.ts", "src/b.ts", "nothing.ts"]);
    if (does === "read") return { name: "Read", input: { file_path: path } };
    if (does === "write") return { name: "Write", input: { file_path: `out/${this.tasks++}.ts`, content: "x\n" } };
    const description = [name, `t${++this.tasks}`].filter(Boolean).join(".");
    const background = random.chance(0.3);
    const subagent_type = random.pick(["explore", "writer", "writer", "none"]);
    return { name: "Task", input: { description, prompt: `«do ${description}»`, subagent_type, background } };
  }
}

const END =
  "# Found\nThe file `src/a.ts:1` says one.\nNothing else is known of it anywhere.\nobs:123456789abc is made up.";

/** Answers take a while, each another one. */
function slowly({ models }: Agent, random: Random, leaves: (name: string) => void) {
  const connect = models.connect.bind(models);
  models.connect = async choice => {
    const connection = await connect(choice);
    const open: typeof connection.open = beforeSend => {
      const model = connection.open(beforeSend) as {
        doStream(asked: Parameters<typeof transcript>[0]): Promise<object>;
      };
      const doStream = async (asked: Parameters<typeof transcript>[0]) => {
        const streamed = await model.doStream(asked);
        leaves(nameIn(asked));
        await ticks(random.int(0, 12));
        return streamed;
      };
      return { ...model, doStream } as unknown as ReturnType<typeof connection.open>;
    };
    return { ...connection, open };
  };
}

async function ticks(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise(resolve => setImmediate(resolve));
}

const NOTHING = {
  requests: 0,
  children: 0,
  past: 0,
  afterStop: 0,
  handles: 0,
  unresolved: 0,
  broken: 0,
  defects: 0,
  unpaid: 0,
  open: 0,
  limited: 0,
  stopped: 0,
  written: 0,
};

/** A caller that may have explorers and a writer, with limits by chance. */
async function caller(random: Random) {
  const skills = new MemorySkills();
  const text = withHead({ name: "writer", description: "writes" }, "Write.");
  const file = {
    name: "writer",
    path: ".claude/agents/writer.md",
    folder: "/ws",
    cutBytes: 0,
    trust: "rules" as const,
  };
  skills.agents = [{ ...file, text }];
  const most = random.pick([12_000, 40_000]);
  const agent = world({
    mode: "auto",
    files: { "src/a.ts": "one\n", "src/b.ts": "two\n" },
    settings: { "agents.maxTokens": random.int(1_000, most), "agents.atOnce": random.int(1, 5) },
  });
  if (random.chance(0.5)) agent.models.prices = { input: 1, output: 5, dearer: [] };
  // Retries need not wait.
  agent.clock.sleep = async () => undefined;
  const session = await createSession({ ...agent.ports, skills });
  const decisions = random.fork();
  session.subscribe(event => {
    if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
    const { approvalId } = event.record;
    const decision = decisions.chance(0.1) ? "deny" : "allow";
    setImmediate(() => {
      try {
        session.answer(approvalId, { decision, scope: "once" });
      } catch {
        // Stop was first.
      }
    });
  });
  return { agent, session };
}

/** By seed: half of them are stopped at any moment, of the others some children by themselves; some that ended are written to. */
export async function randomTree(seed: number) {
  const random = new Random(seed);
  const isStopped = random.chance(0.5);
  const { agent, session } = await caller(random);
  const { models, disk } = agent;
  const players = new Players(random.fork(), isStopped);
  const [found, why]: [typeof NOTHING, string[]] = [{ ...NOTHING }, []];
  /** names; "": all of them */
  const stopped = new Set<string>();
  let stop: Promise<void> | undefined;
  const [stopAt, stopAfter] = [isStopped ? random.int(1, 25) : Infinity, random.int(0, 40)];
  const stops = async () => {
    await ticks(stopAfter);
    await session.stop();
    stopped.add("");
  };
  const meddling = random.fork();
  const stopOne = async (name: string) => {
    const id = [...session.history.conversation.children.values()].find(({ title }) => title === name)?.childId;
    if (id === undefined) return;
    await session.children.stop(id);
    stopped.add(name);
  };
  models.route = asked => (stopped.has("") ? { text: "Then not." } : players.answer(nameIn(asked)));
  slowly(agent, random.fork(), name => {
    found.requests++;
    const isOf = (each: string) => name === each || name.startsWith(`${each}.`);
    const spent = overspent(disk).find(isOf);
    if (spent !== undefined) why.push(`${name} asks past the budget of ${spent}`);
    if (spent !== undefined) found.past++;
    const isBehind = name !== "" && [...stopped].some(each => each === "" || isOf(each));
    if (isBehind) why.push(`${name} asks after Stop`);
    if (isBehind) found.afterStop++;
    if (found.requests >= stopAt) stop ??= stops();
    if (!isStopped && name !== "" && meddling.chance(0.03)) void stopOne(name.split(".")[0] ?? "");
  });
  for (const words of ["Look.", "And now?"]) {
    await session.submit(words);
    // What hangs is stopped.
    for (let seen = -1; isStopped && !stop && session.state !== "idle" && seen < found.requests; await ticks(200))
      seen = found.requests;
    if (isStopped && session.state !== "idle") stop ??= stops();
    await stop;
    await session.idle();
    await ticks(60);
  }
  // Nobody stops what hangs in the background.
  if (isStopped) await (stop ?? stops());
  const open = () => [...below(disk)].flatMap(openIn);
  await eventually("all ended", () => open().length === 0, { limitMs: 3_000 }).catch(() => undefined);
  found.open = open().length + Number(session.children.atWork);
  why.push(...open().map(name => `${name} never ended`));
  if (!isStopped && open().length === 0) found.written = await writeTo(session, stopped);
  found.stopped = stopped.size;
  await inspect(session, disk, found, why);
  await session.close();
  return { ...found, why };
}

/** A person writes to the first two that ended. */
async function writeTo(session: Session, stopped: Set<string>): Promise<number> {
  const some = [...session.history.conversation.children.values()].slice(0, 2);
  for (const { childId, title } of some) {
    stopped.delete(title);
    const child = await session.children.open(childId).catch(() => undefined);
    await child?.submit("Go on.");
    await child?.idle();
    await ticks(30);
  }
  return some.length;
}

/** What is left of a tree that came to rest. */
async function inspect(session: Session, disk: MemoryDisk, found: typeof NOTHING, why: string[]): Promise<void> {
  const all = [...below(disk)];
  const { files, conversation } = session.history;
  const told = all.flatMap(recordsOf);
  const blobs = told.flatMap(each => (each.kind === "child" && each.report ? `obs:${each.report.sha256}` : []));
  const background = await Promise.all(blobs.map(async blob => (await resolveHandle(session.history, blob)).text));
  const shown = told.flatMap(each => (each.kind === "result" && each.toolName === "Task" ? each.forms.shown : []));
  for (const [handle] of [...shown, ...background].join("\n").matchAll(/\bobs:[0-9a-f]{12}\b/g)) {
    found.handles++;
    await resolveHandle(session.history, handle).catch(() => found.unresolved++);
  }
  for (const line of ((await files.read("requests.jsonl")) ?? "").split("\n").filter(Boolean)) {
    const { cause, unexplained, step } = JSON.parse(line) as Manifest;
    if (!unexplained && (cause === undefined || (cause === "turn-end" && step === 1))) continue;
    why.push(`the prefix breaks at step ${step}: ${cause}`);
    found.broken++;
  }
  const { defects } = await verifySession(files, hash);
  found.defects = defects.length;
  why.push(...defects.map(({ text, source }) => `${source} ${text}`));
  found.children = all.length - 1;
  found.limited = told.filter(each => each.kind === "child" && each.reason === "limit").length;
  const [paid, taken] = [tokensOf([conversation.spent]), tokensOf(all.flatMap(usagesIn))];
  if (paid !== taken) why.push(`${paid} tokens of ${taken}`);
  if (paid !== taken) found.unpaid++;
}
