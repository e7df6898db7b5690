/** One run: a person, other programs and agents, all at once, at one file. */
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { DiskStates, Files } from "../../../src/core/ground/ports";
import { eventually } from "../../fakes/eventually";
import { Random } from "../../fakes/random";
import { Agent } from "./agent";
import { Marks } from "./marks";
import { asOutsider, asReviewer, asUser, type Scene } from "./people";
import type { Plan, Step } from "./plan";
import { Recorder, type Trace } from "./trace";
import { type FuzzWorld, recordingFiles } from "./world";

/** ms that the editor gets to show what is on disk: it takes a few, but for a machine that is very busy */
const SETTLE_MS = 30_000;

/** Puts something broken between Strata and the files. */
export type Sabotage = (files: Files, scene: Scene) => Files;

/** Puts something broken between a rewind and the disk. */
export type BrokenDisk = (disk: DiskStates, scene: Scene) => DiskStates;

export async function runPlan(
  world: FuzzWorld,
  plan: Plan,
  sabotage: Sabotage = files => files,
  brokenDisk: BrokenDisk = disk => disk,
): Promise<Trace> {
  const recorder = new Recorder();
  const scene: Scene = { world, plan, marks: new Marks(), recorder };
  const watching = world.watch(plan, recorder);
  recorder.add({ kind: "disk", text: world.onDisk(plan), by: "start" });
  const files = sabotage(world.files, scene);
  const agents = await Promise.all(
    plan.agents.map((_, agent) => Agent.start(scene, agent, recordingFiles(files, agent, scene), brokenDisk)),
  );
  const [first, ...user] = plan.user;
  if (first) await asUser(scene, first.op, new Random(first.dice));
  await Promise.all([
    all(user, (op, random) => asUser(scene, op, random)),
    all(plan.outside, (op, random) => asOutsider(scene, op, random)),
    all(plan.reviews, async (op, random) => agents[0] && asReviewer(scene, agents[0], op, random)),
    ...plan.agents.map((steps, index) => all(steps, async (op, random) => agents[index]?.act(op, random))),
  ]);
  await settled(scene);
  for (const agent of agents) await agent.close();
  watching.dispose();
  await putAway(scene);
  return { plan, happenings: recorder.happenings };
}

async function all<Op extends string>(steps: readonly Step<Op>[], act: (op: Op, random: Random) => Promise<unknown>) {
  for (const { wait, op, dice } of steps) {
    if (wait > 0) await sleep(wait);
    await act(op, new Random(dice));
  }
}

/** Waits until the editor shows what is on disk, or text that is not saved. */
async function settled({ world, plan, recorder }: Scene): Promise<void> {
  const look = () => ({ disk: world.onDisk(plan), shown: world.shown(plan) });
  const agree = ({ disk, shown } = look()) => !shown || shown.dirty || disk === undefined || sameText(shown.text, disk);
  // Where they do not, the checks of the run say so.
  await eventually("the editor shows what is on disk", () => agree(), { limitMs: SETTLE_MS }).catch(() => undefined);
  recorder.add({ kind: "end of run", ...look() });
}

const sameText = (one: string, other: string) => one.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");

/** Nothing of the run stays open that could be asked about. */
async function putAway({ world, plan }: Scene): Promise<void> {
  const document = world.document(plan);
  if (!document || !(document.isDirty || world.shown(plan)?.dirty)) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("workbench.action.files.revert");
}
