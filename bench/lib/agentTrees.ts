/** Random trees of agents on a scripted model: what leaves past a budget or after Stop, what reports lead to, what the caller's requests begin with. */
import { createSession } from "../../src/core/agent/session/openSession";
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

export function* below(disk: MemoryDisk | undefined): Generator<DiskSession> {
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

export async function randomTree(seed: number) {
  const random = new Random(seed);
  const isStopped = random.chance(0.5);
  const skills = new MemorySkills();
  const text = withHead({ name: "writer", description: "writes" }, "Write.");
  skills.agents = [
    { name: "writer", text, path: ".claude/agents/writer.md", folder: "/ws", cutBytes: 0, trust: "rules" },
  ];
  const agent = world({
    mode: "auto",
    files: { "src/a.ts": "one\n", "src/b.ts": "two\n" },
    settings: { "agents.maxTokens": random.int(1_000, 12_000), "agents.atOnce": random.int(1, 5) },
  });
  const { models, disk, clock } = agent;
  if (random.chance(0.5)) models.prices = { input: 1, output: 5, dearer: [] };
  // Retries need not wait.
  clock.sleep = async () => undefined;
  const session = await createSession({ ...agent.ports, skills });
  const players = new Players(random.fork(), isStopped);
  const found = {
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
  };
  const why: string[] = [];
  let [stop, hasStopped]: [Promise<void> | undefined, boolean] = [undefined, false];
  const stopAt = isStopped ? random.int(1, 25) : Infinity;
  const stopAfter = random.int(0, 40);
  const stops = async () => {
    await ticks(stopAfter);
    await session.stop();
    hasStopped = true;
  };
  models.route = asked => (hasStopped ? { text: "Then not." } : players.answer(nameIn(asked)));
  slowly(agent, random.fork(), name => {
    found.requests++;
    const spent = overspent(disk).find(each => name === each || name.startsWith(`${each}.`));
    if (spent !== undefined) why.push(`${name} asks past the budget of ${spent}`);
    if (spent !== undefined) found.past++;
    if (hasStopped && name !== "") why.push(`${name} asks after Stop`);
    if (hasStopped && name !== "") found.afterStop++;
    if (found.requests >= stopAt) stop ??= stops();
  });
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
  const open = () => [...below(disk)].flatMap(openIn);
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
  await eventually("all ended", () => open().length === 0, { limitMs: 3_000 }).catch(() => undefined);
  found.open = open().length + Number(session.children.atWork);
  why.push(...open().map(name => `${name} never ended`));
  const root = disk.sessions.get(session.id);
  const { files } = session.history;
  for (const record of session.history.records) {
    if (record.kind !== "result" || record.toolName !== "Task") continue;
    for (const [handle] of record.forms.shown.matchAll(/\bobs:[0-9a-f]{12}\b/g)) {
      found.handles++;
      await resolveHandle(session.history, handle).catch(() => found.unresolved++);
    }
  }
  const manifests = ((await files.read("requests.jsonl")) ?? "").split("\n").filter(Boolean);
  for (const line of manifests) {
    const { cause, unexplained, step } = JSON.parse(line) as Manifest;
    const isExpected = cause === undefined || (cause === "turn-end" && step === 1);
    if (!isExpected || unexplained) why.push(`the prefix breaks at step ${step}: ${cause}`);
    if (!isExpected || unexplained) found.broken++;
  }
  const { defects } = await verifySession(files, hash);
  found.defects = defects.length;
  why.push(...defects.map(({ text, source }) => `${source} ${text}`));
  const all = [...below(disk)];
  found.children = all.length - 1;
  found.limited = all.flatMap(recordsOf).filter(each => each.kind === "child" && each.reason === "limit").length;
  found.stopped = Number(stop !== undefined);
  const { input, output } = session.history.conversation.spent;
  if (!root || input + output !== tokensOf(all.flatMap(usagesIn))) found.unpaid++;
  if (found.unpaid) why.push(`${input + output} tokens of ${tokensOf(all.flatMap(usagesIn))}`);
  await session.close();
  return { ...found, why };
}
