/** Strata with a fault each: what the checks of a run are there to find. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import type { ApplyEdits, ApplyOutcome, DiskStates, Files } from "../../../src/core/ground/ports";
import { applyEdits } from "../../fakes/textEdits";
import { wrapped } from "../../fakes/wrapped";
import type { Scene } from "./people";
import type { Plan } from "./plan";
import type { BrokenDisk, Sabotage } from "./run";

const shaNow = async (files: Files, { ref }: ApplyEdits) => (await files.read(ref, 1e6)).stamp.sha256;

/** The text that an edit was planned on, whatever stands now. */
function planned({ recorder }: Scene, { base, edits }: ApplyEdits): string {
  const read = recorder.happenings.findLast(happening => happening.kind === "read" && happening.sha256 === base);
  return applyEdits(read?.kind === "read" ? read.text : "", edits);
}

/** Sets a document's whole text, and saves it. */
async function overwrite({ world, plan }: Scene, text: string): Promise<void> {
  const document = world.document(plan);
  if (!document) return writeFileSync(world.at(plan), text);
  const change = new vscode.WorkspaceEdit();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  change.replace(document.uri, all, text);
  await vscode.workspace.applyEdit(change);
}

const appliedAs = async (files: Files, change: ApplyEdits, text: string): Promise<ApplyOutcome> => {
  const { stamp } = await files.read(change.ref, 1e6);
  return { kind: "applied", stamp, text, saved: false };
};

/** Nobody but an agent and rewinds of what it saved. */
function rewoundOnly(plan: Plan): Plan {
  const reviews = Array.from({ length: 6 }, (_, at) => ({ wait: 40, op: "rewind" as const, dice: at }));
  return { ...plan, save: true, mode: "edits", user: [], outside: [], reviews };
}

/** Name → a fault, and what must be said of it. */
export const broken: Record<string, { sabotage?: Sabotage; disk?: BrokenDisk; plan?(plan: Plan): Plan; said: RegExp }> =
  {
    "rewinds over what others wrote since": {
      said: /was lost on disk by a rewind/,
      plan: rewoundOnly,
      disk: (disk, { marks, recorder, world, plan }) =>
        wrapped<DiskStates>(disk, {
          async put(path, from, to, bytes) {
            // Another program writes at this very moment.
            appendFileSync(path, marks.make("outside"));
            recorder.add({ kind: "disk", text: world.onDisk(plan), by: "outside" });
            const { state } = await disk.look(path, 1e6);
            return disk.put(path, state ?? from, to, bytes);
          },
        }),
    },
    "edits whatever stands, at the places of what was read": {
      said: /it was made on|it made|was lost|twice/,
      sabotage: files =>
        wrapped<Files>(files, {
          apply: async change =>
            change.base === null ? files.apply(change) : files.apply({ ...change, base: await shaNow(files, change) }),
        }),
    },
    "puts the text that it planned over what was typed since": {
      said: /was lost/,
      sabotage: (files, scene) =>
        wrapped<Files>(files, {
          async apply(change) {
            const text = planned(scene, change);
            await overwrite(scene, text);
            return appliedAs(files, change, text);
          },
        }),
    },
    "writes to disk under unsaved text": {
      said: /written to disk while the editor had/,
      sabotage: (files, scene) =>
        wrapped<Files>(files, {
          async apply(change) {
            const { world, plan } = scene;
            const text = applyEdits(readFileSync(world.at(plan), "utf8"), change.edits);
            writeFileSync(world.at(plan), text);
            return { ...(await appliedAs(files, change, text)), saved: true } as ApplyOutcome;
          },
        }),
    },
    "says that it wrote, and does not": {
      said: /was never written/,
      sabotage: (files, scene) =>
        wrapped<Files>(files, { apply: async change => appliedAs(files, change, planned(scene, change)) }),
    },
    "writes before it is allowed to": {
      said: /was written, by a call that ended in/,
      sabotage: (files, scene) =>
        wrapped<Files>(files, {
          async read(ref, maxBytes) {
            const begun = scene.recorder.happenings.findLast(({ kind }) => kind === "begin");
            const { world, plan, recorder } = scene;
            if (begun?.kind === "begin" && begun.who === "agent" && begun.intent && world.onDisk(plan) !== undefined) {
              writeFileSync(world.at(plan), `${world.onDisk(plan)}${begun.intent.marks[0]}`);
              recorder.add({ kind: "disk", text: world.onDisk(plan), by: "agent" });
            }
            return files.read(ref, maxBytes);
          },
        }),
    },
    "takes a changed time for a change": {
      said: /STALE, but the file never changed/,
      sabotage: files => {
        let reads = 0;
        return wrapped<Files>(files, {
          async read(ref, maxBytes) {
            const file = await files.read(ref, maxBytes);
            const sha256 = `${(++reads).toString(16).padStart(8, "0")}${file.stamp.sha256.slice(8)}`;
            return { ...file, stamp: { ...file.stamp, sha256 } };
          },
        });
      },
    },
    "remembers the text that it meant, not the one that the formatter left": {
      said: /the stamp is not that of the text/,
      sabotage: (files, scene) =>
        wrapped<Files>(files, {
          async apply(change) {
            const outcome = await files.apply(change);
            const text = planned(scene, change);
            return outcome.kind === "applied" ? { ...outcome, text } : outcome;
          },
        }),
    },
  };
