/** What agents take: time beside one another and after Stop, memory, and what a session without them pays for them. */
import type { Session } from "../../src/core/agent/session/session";
import type { Manifest } from "../../src/shared/manifest";
import type { Settings } from "../../src/shared/settings";
import { runTurn, start } from "../../test/fakes/agent";
import { eventually } from "../../test/fakes/eventually";
import { transcript } from "../../test/fakes/model";
import { endWorlds, world as httpWorld } from "../../test/overHttp/world";

const task = (name: string) => ({
  name: "Task",
  input: { description: name, prompt: `«do ${name}»`, subagent_type: "explore" },
});
const read = { name: "Read", input: { file_path: "src/a.ts" } };
const LINES = Array.from({ length: 300 }, (_, at) => `export const value${at} = ${at};\n`).join("");

function allow(session: Session): void {
  session.subscribe(event => {
    if (event.type !== "record" || event.record.kind !== "approval" || event.record.answer) return;
    const { approvalId } = event.record;
    setImmediate(() => session.answer(approvalId, { decision: "allow", scope: "once" }));
  });
}

/** A caller, and explorers of which each reads twice and answers, and a request of each takes `stepMs`. */
async function explorers(count: number, atOnce: number, stepMs: number, hangs = false) {
  const settings = { "agents.enabled": "on" as const, "agents.atOnce": atOnce };
  const agent = await start({ mode: "auto", files: { "src/a.ts": LINES }, settings });
  const { session, models } = agent;
  allow(session);
  const steps = new Map<string, number>();
  models.route = asked => {
    const name = transcript(asked).flatMap(line => /^user:[\s\S]*?«do (\w+)»/.exec(line)?.[1] ?? [])[0];
    if (name === undefined) return undefined;
    const step = (steps.get(name) ?? 0) + 1;
    steps.set(name, step);
    return step < 3 ? { calls: [read] } : { text: "It says value1 (src/a.ts:2).", hang: hangs };
  };
  const connect = models.connect.bind(models);
  models.connect = async choice => {
    const connection = await connect(choice);
    const open: typeof connection.open = beforeSend =>
      connection.open(async sha256 => {
        await beforeSend(sha256);
        await new Promise(resolve => setTimeout(resolve, stepMs));
      });
    return { ...connection, open };
  };
  models.play({ calls: Array.from({ length: count }, (_, at) => task(`t${at}`)) }, { text: "Done." });
  return {
    agent,
    session,
    work: () => eventually("all hang", () => [...steps.values()].filter(at => at === 3).length === count),
  };
}

/** ms that five explorers take, from the first that begins to the last that ends */
export async function timeOf(atOnce: number, stepMs: number): Promise<number> {
  const { session } = await explorers(5, atOnce, stepMs);
  const times: number[] = [];
  session.subscribe(event => {
    if (event.type === "record" && event.record.kind === "child") times.push(performance.now());
  });
  await runTurn(session, "look");
  await session.close();
  return Math.max(...times) - Math.min(...times);
}

/** MB for each of `count` explorers at work, against their caller alone. */
export async function memoryOf(count: number, gc: () => void): Promise<number> {
  const used = async () => {
    for (let at = 0; at < 4; at++) {
      gc();
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  };
  const { session, work, agent } = await explorers(count, count, 0, true);
  agent.models.requests.length = 0;
  const before = await used();
  await session.submit("look");
  await work();
  // What the fake keeps is no part of it.
  agent.models.requests.length = 0;
  const after = await used();
  await session.stop();
  await session.close();
  return (after - before) / count;
}

/** ms from Stop to its end, while three explorers wait for a server that says nothing. */
export async function stopTime(): Promise<{ ms: number; after: number }> {
  const settings = { "agents.enabled": "on", "permissions.mode": "auto" } as const;
  const { session, script } = await httpWorld({ settings });
  allow(session);
  script.play({ calls: ["a", "b", "c"].map(task) }, ...Array.from({ length: 3 }, () => ({ fault: "hang" }) as const));
  await session.submit("look");
  await eventually("three hang", () => script.asked.length === 4);
  const from = performance.now();
  await session.stop();
  const ms = performance.now() - from;
  await new Promise(resolve => setTimeout(resolve, 300));
  const after = script.asked.length - 4;
  await session.close();
  await endWorlds();
  return { ms, after };
}

/** What a turn of a session takes that gives no task to anybody: ms, tokens of its first request, operations of the disk. */
export async function without(enabled: Settings["agents.enabled"]) {
  const settings = { "agents.enabled": enabled };
  const { session, models, disk } = await start({ mode: "auto", files: { "src/a.ts": LINES }, settings });
  models.play({ calls: [read] }, { text: "Done." });
  const from = performance.now();
  await runTurn(session, "look");
  const ms = performance.now() - from;
  const [first = "{}"] = ((await session.history.files.read("requests.jsonl")) ?? "").split("\n");
  const { totalTokens: tokens } = JSON.parse(first) as Manifest;
  const tools = models.requests[0]?.tools?.map(({ name }) => name) ?? [];
  const operations = disk.operations.join();
  await session.close();
  return { ms, tokens, tools: tools.length, hasTask: tools.includes("Task"), operations };
}
