/** Sessions on real files with rules, of which is asked what was in view: the corpus of `strata explain --rule`, played. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createSession } from "../../src/core/agent/session/openSession";
import { protectedBecause } from "../../src/core/permissions/protectedPaths";
import { type InView, ViewSearch, type ViewTarget } from "../../src/core/proof/inView";
import { NodeFiles } from "../../src/node/files";
import { NodeRules } from "../../src/node/rules";
import { NodeSkills } from "../../src/node/skills";
import type { Json } from "../../src/shared/messages";
import { runTurn, world } from "./agent";
import { hash } from "./hash";
import type { ScriptedAnswer } from "./model";
import { temporaryFolder } from "./temporary";

/** An answer is a text, or a call with its input. In all texts `$S` is the sentence as it is written, `{{9}}` so many lines, `{{=9}}` so many bytes. */
type Answer = string | [tool: string, input: { [name: string]: Json }];
type Step =
  | ["write", path: string, text: string]
  | ["link", path: string, target: string]
  | ["remove" | "say", text: string, ...answers: Answer[]]
  | ["compact" | "undo" | "untrust" | "carryOut" | "endPlan", text?: string]
  | ["rewind", turn: number];

export interface ViewedCase {
  name: string;
  /** folders of the workspace beside `app` */
  roots?: string[];
  steps: Step[];
  /** `$A`: the sentence as it is asked for, which is all where this is absent; `$S`: as it is written */
  ask?: string;
  /** absent: the newest request */
  at?: ViewTarget;
  form: InView["form"];
  places?: number;
  /** of the first place */
  kind?: string;
  source?: string;
  line?: number;
  why?: string;
  /** turn of the first request without it, or of the first one that has it */
  since?: number;
  first?: number;
}

export interface ViewedCorpus {
  /** as they are written, and as they are asked for */
  sentences: [written: string, asked: string][];
  cases: ViewedCase[];
}

const filler = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `Line ${at + 1} says nothing that matters to any reader.`).join("\n");

const filled = (text: string, written: string): string =>
  text
    .replaceAll("$S", () => written)
    .replace(/\{\{(\d+)\}\}/g, (_, lines: string) => filler(Number(lines)))
    .replace(/\{\{=(\d+)\}\}/g, (_, bytes: string) => filler(Number(bytes) / 40).slice(0, Number(bytes)));

/** Plays a case with a sentence. The session's files are gone once `use` is done. */
export async function playViewed<T>(
  { steps, roots = [] }: ViewedCase,
  written: string,
  use: (session: Awaited<ReturnType<typeof createSession>>) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder("viewed");
  const [app, config] = [join(folder, "app"), join(folder, "config")];
  const beside = roots.map(name => join(folder, name));
  await Promise.all([app, config, ...beside].map(path => mkdir(path)));
  let trusted = true;
  const agent = world({ mode: "auto", settings: { "model.contextWindow": 40_000, "history.keepRounds": 1 } });
  agent.models.reportsUsage = false;
  const files = new NodeFiles([app, ...beside]);
  const options = {
    ...{ roots: () => files.roots, configDir: config, home: join(folder, "home"), trusted: () => trusted },
    ...{
      protectedBecause: (ref: Parameters<typeof protectedBecause>[0]) => protectedBecause(ref, []),
      logger: agent.ports.logger,
    },
  };
  const surroundings = { ...agent.ports.surroundings, trusted: () => trusted };
  const ports = { ...agent.ports, files, surroundings, rules: new NodeRules(options), skills: new NodeSkills(options) };
  const session = await createSession(ports);
  const placed = async (path: string, put: (file: string) => Promise<void>) => {
    const file = path.startsWith("config/") || path.startsWith("home/") ? join(folder, path) : join(app, path);
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true });
    await put(file);
  };
  const answer = (each: Answer): ScriptedAnswer =>
    typeof each === "string" ? { text: filled(each, written) } : { calls: [{ name: each[0], input: each[1] }] };
  try {
    for (const step of steps) {
      const [what, first = "", ...more] = step;
      const text = filled(String(first), written);
      if (what === "write") await placed(text, file => writeFile(file, filled(String(more[0]), written)));
      else if (what === "link") await placed(text, file => symlink(join(folder, String(more[0])), file));
      else if (what === "remove") await placed(text, async () => undefined);
      else if (what === "untrust") trusted = false;
      else if (what === "rewind") await session.rewind.rewind(Number(first), "conversation");
      else if (what === "carryOut") await session.plans.carryOut(text, "auto");
      else if (what === "endPlan") await session.plans.end();
      else if (what === "undo") await session.compaction.undo();
      else if (what === "compact") {
        agent.models.summaries.push({ text: "### ✅ Completed Milestones\n* [✓] Some work was done." });
        await session.compaction.compact();
      } else {
        agent.models.play(...(more.length > 0 ? (more as Answer[]) : ["Done."]).map(answer));
        await runTurn(session, text);
      }
      await session.idle();
    }
    return await use(session);
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is found of a case, in the fields that it names. */
export const viewOf = (viewed: ViewedCase, [written, asked]: ViewedCorpus["sentences"][number]) =>
  playViewed(viewed, written, async ({ history: { files } }) => {
    const view = await (await ViewSearch.open(files, hash)).view(
      viewed.at ?? {},
      (viewed.ask ?? "$A").replace("$A", () => asked).replace("$S", () => written),
    );
    const [place] = view.places;
    const all = {
      ...{ form: view.form, kind: place?.kind, source: place?.source, line: place?.line, why: view.why?.kind },
      ...{ places: view.places.length, since: view.since?.turn, first: view.first?.turn },
    };
    return {
      found: Object.fromEntries(Object.entries(all).filter(([name]) => name === "form" || name in viewed)),
      all,
      view,
    };
  });

/** What is right. */
export const rightView = ({ name: _, roots: _r, steps: _s, ask: _a, at: _t, ...right }: ViewedCase) => right;
