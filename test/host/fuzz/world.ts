/** Where runs take place: a folder under git that VS Code has open files of, and what is seen of them. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { DiskStates, Files, Search } from "../../../src/core/ground/ports";
import { NodeFiles } from "../../../src/node/files";
import { nodeHash } from "../../../src/node/system";
import { VSCodeFiles } from "../../../src/vscode/files/files";
import { MemoryFiles } from "../../fakes/files";
import { MemorySearch } from "../../fakes/search";
import { wrapped } from "../../fakes/wrapped";
import { formatOnSave } from "../typist";
import type { Plan } from "./plan";
import type { Recorder, Shown } from "./trace";

const execute = promisify(execFile);

export class FuzzWorld {
  /** `strata.edits.save` */
  private save = true;
  readonly disk: NodeFiles;
  readonly files: VSCodeFiles;
  /** what tools look for names with when a file is missing: nothing is found */
  readonly search: Search = new MemorySearch(new MemoryFiles());

  private constructor(private readonly home: string) {
    this.disk = new NodeFiles([this.folder]);
    this.files = new VSCodeFiles({
      folders: () => [vscode.Uri.file(this.folder)],
      disk: roots => new NodeFiles(roots),
      hash: nodeHash,
      saveEdits: () => this.save,
    });
  }

  /** What would only take time, and is none of what is tried here, beyond what no test here looks at (quiet.mjs). */
  private static readonly quiet = {
    "editor.detectIndentation": false,
    "workbench.editor.limit.enabled": true,
    "workbench.editor.limit.value": 2,
    "git.enabled": false,
  };

  /** How VS Code is set while runs are played: formatting on save, no noise. Each setting takes its time. @returns sets it back */
  static async settle(): Promise<() => Promise<void>> {
    const unformat = await formatOnSave();
    const noisy = await settings(FuzzWorld.quiet);
    for (const bar of ["Sidebar", "AuxiliaryBar", "Panel"])
      await vscode.commands.executeCommand(`workbench.action.close${bar}`);
    return () => noisy().then(unformat);
  }

  /** @param plans those that will be run: their files are committed in one go */
  static async open(plans: readonly Plan[]): Promise<FuzzWorld> {
    const home = await realpath(await mkdtemp(join(tmpdir(), "strata-fuzz-")));
    const world = new FuzzWorld(home);
    await mkdir(world.folder);
    for (const plan of plans) writeFileSync(world.at(plan), plan.text);
    await world.git("init", "-q");
    await world.git("config", "core.autocrlf", "false");
    await world.git("add", ".");
    await world.git("commit", "-qm", "start");
    return world;
  }

  get folder(): string {
    return join(this.home, "app");
  }

  at({ path }: Plan): string {
    return join(this.folder, path);
  }

  /** Beside the folder, so that VS Code's own git does not see it. Rejects where git refuses. */
  async git(...args: string[]): Promise<void> {
    const where = [`--git-dir=${join(this.home, "git")}`, `--work-tree=${this.folder}`];
    const who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
    await execute("git", [...where, ...who, ...args], { cwd: this.folder });
  }

  /** What is on disk now; undefined: nothing. */
  onDisk(plan: Plan): string | undefined {
    return existsSync(this.at(plan)) ? readFileSync(this.at(plan), "utf8") : undefined;
  }

  document(plan: Plan): vscode.TextDocument | undefined {
    const name = vscode.Uri.file(this.at(plan)).toString();
    return vscode.workspace.textDocuments.find(open => open.uri.toString() === name && !open.isClosed);
  }

  /** What an editor shows of the run's file; undefined: none does. */
  shown(plan: Plan): Shown | undefined {
    const name = vscode.Uri.file(this.at(plan)).toString();
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    const tab = tabs.find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === name);
    const document = this.document(plan);
    return tab && document && { text: document.getText(), dirty: document.isDirty || tab.isDirty };
  }

  /** The editor of the run's file, where it is the active one. */
  editor(plan: Plan): vscode.TextEditor | undefined {
    const name = vscode.Uri.file(this.at(plan)).toString();
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.toString() === name ? active : undefined;
  }

  /** Records what becomes of the run's file, until it is disposed. */
  watch(plan: Plan, recorder: Recorder): vscode.Disposable {
    this.save = plan.save;
    const name = vscode.Uri.file(this.at(plan)).toString();
    const ours = (document: vscode.TextDocument) => document.uri.toString() === name;
    const reasons = {
      [vscode.TextDocumentChangeReason.Undo]: "undo",
      [vscode.TextDocumentChangeReason.Redo]: "redo",
    } as const;
    return vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(document => {
        if (ours(document)) recorder.add({ kind: "opened", text: document.getText(), dirty: document.isDirty });
      }),
      vscode.workspace.onDidCloseTextDocument(document => {
        if (ours(document)) recorder.add({ kind: "closed" });
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, reason, contentChanges }) => {
        if (!ours(document) || contentChanges.length === 0) return;
        const why = reason === undefined ? undefined : reasons[reason];
        const disk = this.onDisk(plan);
        recorder.add({ kind: "buffer", text: document.getText(), dirty: document.isDirty, reason: why, disk });
      }),
      vscode.workspace.onDidSaveTextDocument(document => {
        if (ours(document)) recorder.add({ kind: "disk", text: this.onDisk(plan), by: "save" });
      }),
    );
  }

  async dispose(): Promise<void> {
    this.files.dispose();
    await rm(this.home, { recursive: true, force: true });
  }
}

/** Sets the user's settings. @returns sets them back */
async function settings(values: Readonly<Record<string, unknown>>): Promise<() => Promise<void>> {
  const all = vscode.workspace.getConfiguration();
  const before = Object.keys(values).map(name => [name, all.inspect(name)?.globalValue] as const);
  for (const [name, value] of Object.entries(values)) await all.update(name, value, vscode.ConfigurationTarget.Global);
  return async () => {
    for (const [name, value] of before) await all.update(name, value, vscode.ConfigurationTarget.Global);
  };
}

interface Watched {
  world: FuzzWorld;
  plan: Plan;
  recorder: Recorder;
}

/** The same disk; what a rewind puts back is recorded, with what stood there right before. */
export function recordingDisk(disk: DiskStates, { recorder, world, plan }: Watched): DiskStates {
  return wrapped(disk, {
    async put(path, from, to, bytes) {
      const number = recorder.number();
      recorder.add({ kind: "putting", number, text: world.onDisk(plan) });
      const outcome = await disk.put(path, from, to, bytes);
      recorder.add({ kind: "disk", text: world.onDisk(plan), by: "agent" });
      recorder.add({ kind: "put", number, outcome, text: world.onDisk(plan) });
      return outcome;
    },
  });
}

/** The same files; what Strata reads and writes through them is recorded. */
export function recordingFiles(files: Files, agent: number, { recorder, world, plan }: Watched): Files {
  const disk = () => recorder.add({ kind: "disk", text: world.onDisk(plan), by: "agent" });
  return wrapped(files, {
    async read(ref, maxBytes) {
      const file = await files.read(ref, maxBytes);
      if (file.kind === "text") recorder.add({ kind: "read", agent, text: file.text, sha256: file.stamp.sha256 });
      return file;
    },
    async apply(change) {
      const apply = recorder.number();
      recorder.add({ kind: "applying", agent, apply, change });
      try {
        const outcome = await files.apply(change);
        disk();
        recorder.add({ kind: "applied", agent, apply, outcome });
        return outcome;
      } catch (error) {
        recorder.add({ kind: "applied", agent, apply, outcome: { kind: "failed", error: String(error) } });
        throw error;
      }
    },
  });
}
