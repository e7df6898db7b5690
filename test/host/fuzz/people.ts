/** What a person does at the editor, and what other programs do to the file. */
import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import type { SessionRewind } from "../../../src/core/agent/session/sessionRewind";
import type { SessionReview } from "../../../src/core/changes/review/sessionReview";
import { ErrorForPeople } from "../../../src/core/ground/ports";
import type { Random } from "../../fakes/random";
import { type Marks, marksIn } from "./marks";
import type { OutsideOp, Plan, ReviewOp, UserOp } from "./plan";
import type { Recorder } from "./trace";
import type { FuzzWorld } from "./world";

export interface Scene {
  world: FuzzWorld;
  plan: Plan;
  marks: Marks;
  recorder: Recorder;
}

type Act<Op extends string> = Record<Op, (scene: Scene, random: Random, mark: () => string) => Promise<string>>;

/** Each says how it went. What it types is marked. */
const user: Act<UserOp> = {
  async type({ world, plan }, random, mark) {
    const editor = world.editor(plan);
    if (!editor) return "not open";
    const line = editor.document.lineAt(random.int(0, editor.document.lineCount - 1));
    const at = random.pick([line.range.start, line.range.end, line.range.end]);
    editor.selection = new vscode.Selection(at, at);
    // As a key does: the editor's own process puts it where the cursor is by then.
    await vscode.commands.executeCommand("type", { text: mark() + random.pick(["", "", " ", "   x"]) });
    return "typed";
  },
  async insertLine({ world, plan }, random, mark) {
    const editor = world.editor(plan);
    if (!editor) return "not open";
    const at = new vscode.Position(random.int(0, editor.document.lineCount - 1), 0);
    const text = `${mark()} typed\n`;
    return (await editor.edit(edit => edit.insert(at, text))) ? "inserted" : "the editor had moved on";
  },
  async deleteLine({ world, plan }, random) {
    const editor = world.editor(plan);
    if (!editor) return "not open";
    const line = editor.document.lineAt(random.int(0, editor.document.lineCount - 1));
    if (marksIn(line.text).length > 0) return "a line with marks stays";
    return (await editor.edit(edit => edit.delete(line.rangeIncludingLineBreak)))
      ? "deleted"
      : "the editor had moved on";
  },
  undo: inEditor("undo"),
  redo: inEditor("redo"),
  revert: inEditor("workbench.action.files.revert"),
  async save({ world, plan }) {
    const document = world.document(plan);
    if (!document) return "not open";
    return (await document.save()) ? "saved" : "not saved";
  },
  async open({ world, plan }) {
    if (world.onDisk(plan) === undefined) return "there is no file";
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(world.at(plan)));
      return "opened";
    } catch (error) {
      // Another program takes it away at that moment, for good or until it has put it back: nothing is opened then.
      if (/nonexistent file/.test(String(error))) return "it was gone";
      throw error;
    }
  },
  async close({ world, plan }) {
    const editor = world.editor(plan);
    if (!editor || editor.document.isDirty) return "not open, or not saved";
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    return "closed";
  },
};

function inEditor(command: string) {
  return async ({ world, plan }: Scene) => {
    if (!world.editor(plan)) return "not open";
    await vscode.commands.executeCommand(command);
    return "done";
  };
}

const outside: Act<OutsideOp> = {
  async write({ world, plan }, random, mark) {
    const text = world.onDisk(plan);
    if (text === undefined) return "there is no file";
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.split(lineEnd);
    const at = random.int(0, lines.length - 1);
    const kind = random.pick(["change", "insert", "delete"]);
    if (kind === "change") lines[at] += ` ${mark()}`;
    if (kind === "insert") lines.splice(at, 0, `${mark()} outside`);
    if (kind === "delete" && lines.length > 2 && marksIn(lines[at] ?? "").length === 0) lines.splice(at, 1);
    // Whole or not at all, as most programs write.
    writeFileSync(`${world.at(plan)}.new`, lines.join(lineEnd));
    renameSync(`${world.at(plan)}.new`, world.at(plan));
    return kind;
  },
  checkout: git("checkout", "--"),
  async stash(scene) {
    const stashed = await git("stash", "push", "-q", "--")(scene);
    return `${stashed}, popped: ${await attempt(() => scene.world.git("stash", "pop", "-q"))}`;
  },
  async touch({ world, plan }, random) {
    if (world.onDisk(plan) === undefined) return "there is no file";
    const when = new Date(Date.now() - random.int(0, 100_000));
    utimesSync(world.at(plan), when, when);
    return "touched";
  },
  async delete({ world, plan }) {
    rmSync(world.at(plan), { force: true });
    return "deleted";
  },
  async rename({ world, plan }) {
    if (world.onDisk(plan) === undefined) return "there is no file";
    renameSync(world.at(plan), `${world.at(plan)}.renamed`);
    return "renamed";
  },
};

function git(...command: string[]) {
  return ({ world, plan }: Scene) => attempt(() => world.git(...command, plan.path));
}

async function attempt(what: () => Promise<void>): Promise<string> {
  try {
    await what();
    return "done";
  } catch (error) {
    // A stash that does not fit, a file that is not there: git leaves things as they are.
    return `git refused: ${error instanceof Error ? error.message.split("\n").at(-2) : error}`;
  }
}

export async function asUser(scene: Scene, op: UserOp, random: Random): Promise<void> {
  const { recorder, marks } = scene;
  const number = recorder.number();
  const mark = op === "type" || op === "insertLine" ? marks.make("user") : "";
  recorder.add({ kind: "begin", number, who: "user", op, marks: mark ? [mark] : [] });
  recorder.add({ kind: "end", number, note: await user[op](scene, random, () => mark) });
}

export async function asOutsider(scene: Scene, op: OutsideOp, random: Random): Promise<void> {
  const { recorder, marks, world, plan } = scene;
  const number = recorder.number();
  const mark = op === "write" ? marks.make("outside") : "";
  recorder.add({ kind: "disk", text: world.onDisk(plan), by: "outside" });
  recorder.add({ kind: "begin", number, who: "outside", op, marks: mark ? [mark] : [] });
  const note = await outside[op](scene, random, () => mark);
  recorder.add({ kind: "disk", text: world.onDisk(plan), by: "outside" });
  recorder.add({ kind: "end", number, note });
}

/** In what the editor shows, else what is on disk. What cannot be done is said, and changes nothing. */
export async function asReviewer(
  scene: Scene,
  { review, rewind }: { review: SessionReview; rewind: SessionRewind },
  op: ReviewOp,
  random: Random,
): Promise<void> {
  const { recorder, world, plan } = scene;
  const number = recorder.number();
  recorder.add({ kind: "begin", number, who: "review", op });
  const uri = vscode.Uri.file(world.at(plan)).toString();
  const text = world.document(plan)?.getText() ?? world.onDisk(plan) ?? "";
  const changes = await review.changesIn(uri, text);
  const act = async () => {
    if (op === "rewind") return `${(await rewind.rewind(1, "files")).stayed?.join(" ") ?? "done"}`;
    if (op === "undoRewind") return rewind.undoable ? ((await rewind.undo()).stayed?.join(" ") ?? "done") : "none";
    if (changes.length === 0) return "nothing waits";
    const { id, seq } = random.pick(changes);
    if (op === "keepChange") await review.keep({ uri, seq }, id);
    else await review.undo(uri, op === "undoFile" ? undefined : id);
    return "done";
  };
  const note = await act().catch((error: unknown) => {
    if (!(error instanceof ErrorForPeople)) throw error;
    return error.message;
  });
  recorder.add({ kind: "end", number, note });
}
