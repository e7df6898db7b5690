/** Plays a scenario in a real session, whose log and manifests are real files; bundled by bench/context.mjs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSession } from "../../../src/core/agent/session/openSession";
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { type Manifest, manifestSchema } from "../../../src/shared/manifest";
import type { LogRecord } from "../../../src/shared/records";
import { DEFAULT_WINDOW, type Settings, settingsSchema } from "../../../src/shared/settings";
import { world } from "../../../test/fakes/agent";
import type { Bill } from "./meter";
import { type Missed, ScenarioModel } from "./model";
import type { RuleName } from "./prices";
import { printedRequest } from "./printed";
import type { Scenario } from "./scenario";

export { timeAssembling } from "./assembling";
export { pricesOf, RULES } from "./prices";
export { fiftyTurns, WORKLOADS } from "./workloads";

export interface Played {
  bill: Bill;
  missed: Missed[];
  seen: { read: number; failure: number };
  /** files read again, since what an edit needs was folded or gone */
  forced: number;
  /** what an old output said was asked for; readings that were not needed, since the text still stood there */
  recalls: number;
  spared: number;
  /** of results within a turn, and changes of form alone */
  folds: number;
  settlings: number;
  compactions: number;
  /** the turns in which they were done */
  compactedIn: number[];
  summaries: number;
  /** requests that did not begin with the one before, by cause; "unexplained": a defect */
  breaks: Record<string, number>;
  /** of each request's manifest, in order */
  manifestBytes: number[];
  /** The last request of a turn as the model read it. */
  printed(turn: number): Promise<string>;
}

/** @param folder the session's files go there @param rule whose prices the session knows */
export async function play(
  scenario: Scenario,
  folder: string,
  more: Partial<Settings> = {},
  rule: RuleName = "default",
): Promise<Played> {
  const { ports } = world({ files: scenario.files, shell: scenario.shell });
  const settings = settingsSchema.parse({
    "permissions.mode": "auto",
    "permissions.runEverything": true,
    "agent.maxSteps": 1_000,
    ...more,
  });
  const models = new ScenarioModel(scenario, settings["model.contextWindow"] || DEFAULT_WINDOW, rule);
  const storage = new NodeStorage(folder);
  const session = await createSession({ ...ports, models, storage, settings: { get: () => settings } });
  const records: LogRecord[] = [];
  session.subscribe(event => {
    if (event.type === "record") records.push(event.record);
  });
  for (const { says } of scenario.turns) {
    await session.submit(says);
    await session.idle();
    const { end } = session.history.conversation;
    if (end?.reason !== "done") throw new Error(`a turn ended otherwise: ${JSON.stringify(end)}`);
  }
  await session.close();
  const manifests = await manifestsOf(folder, session.id);
  const folds = records.filter(record => record.kind === "fold");
  const within = folds.filter(({ results }) => results.length > 0).length;
  return {
    bill: models.meter.bill,
    ...{ missed: models.missed, seen: models.seen, summaries: models.summaries },
    ...{ forced: models.forced, recalls: models.recalls, spared: models.spared },
    ...{ folds: within, settlings: folds.length - within },
    compactions: records.filter(record => record.kind === "compaction").length,
    compactedIn: records.flatMap(record => (record.kind === "compaction" ? [record.snapshot.turn] : [])),
    breaks: breaksOf(
      models.breaks,
      manifests.map(({ manifest }) => manifest),
    ),
    manifestBytes: manifests.map(({ bytes }) => bytes),
    printed: turn =>
      printedRequest(
        folder,
        session.id,
        manifests.map(({ manifest }) => manifest),
        turn,
      ),
  };
}

async function manifestsOf(folder: string, id: string): Promise<{ manifest: Manifest; bytes: number }[]> {
  const text = await readFile(join(folder, "sessions", id, "requests.jsonl"), "utf8");
  const lines = text.split("\n").filter(line => line !== "");
  return lines.map(line => ({ manifest: manifestSchema.parse(JSON.parse(line)), bytes: Buffer.byteLength(line) + 1 }));
}

/** @param broken numbers of requests, from 1, as the model saw them */
function breaksOf(broken: readonly number[], manifests: readonly Manifest[]): Played["breaks"] {
  const breaks: Record<string, number> = {};
  const count = (cause: string) => {
    breaks[cause] = (breaks[cause] ?? 0) + 1;
  };
  for (const number of broken) count(manifests[number - 1]?.cause ?? "unexplained");
  for (const [at, { unexplained }] of manifests.entries()) {
    if (unexplained && !broken.includes(at + 1)) count("unexplained");
  }
  return breaks;
}
