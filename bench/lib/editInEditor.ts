/**
 * Runs inside VS Code's extension host: the Edit tool on its real adapters against a bare WorkspaceEdit, on two documents of
 * the same size that are open side by side. Bundled and started by bench/edit.mjs; its figures go to STRATA_BENCH_REPORT.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { editTool } from "../../src/core/changes/edit";
import type { Files, Hash, SessionFiles } from "../../src/core/ground/ports";
import { Snapshots } from "../../src/core/log/snapshots";
import { readTool } from "../../src/core/looking/read";
import { KnownTexts, rememberingFiles } from "../../src/core/secrets/knownTexts";
import { MOVED, type Tool, type ToolOutcome } from "../../src/core/tool/tool";
import { NodeFiles } from "../../src/node/files";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { nodeHash } from "../../src/node/system";
import type { Stamp } from "../../src/shared/toolResult";
import { VSCodeFiles } from "../../src/vscode/files/files";
import { noSession } from "../../test/fakes/call";
import { DrivenSession } from "../../test/fakes/drivenSession";
import { MemoryFiles } from "../../test/fakes/files";
import { MemorySearch } from "../../test/fakes/search";
import { wrapped } from "../../test/fakes/wrapped";

const RUNS = 25;
const LINES = 30_000;

/** 1 MB that can be told line from line. */
const text = Array.from({ length: LINES }, (_, at) => `const value${at} = compute(${at * 7});\n`).join("");
const lineOf = (count: number) => `const value${LINES / 2} = compute(${count});`;

/** Where the time of a call went, by name, ms. */
class Times {
  private times: Record<string, number> = {};

  now<T>(name: string, work: () => T): T {
    const before = performance.now();
    try {
      return work();
    } finally {
      this.times[name] = (this.times[name] ?? 0) + performance.now() - before;
    }
  }

  async of<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      return await work();
    } finally {
      this.times[name] = (this.times[name] ?? 0) + performance.now() - before;
    }
  }

  take(): Record<string, number> {
    const taken = this.times;
    this.times = {};
    return taken;
  }
}

interface World {
  folder: string;
  files: VSCodeFiles;
  save: { after: boolean };
  times: Times;
  session: SessionFiles;
}

export async function run(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "strata-bench-edit-")));
  try {
    writeFileSync(process.env.STRATA_BENCH_REPORT ?? "", JSON.stringify(await measure(folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string) {
  const times = new Times();
  const save = { after: true };
  const hash: Hash = { sha256: data => times.now("hash", () => nodeHash.sha256(data)) };
  mkdirSync(join(folder, "app"));
  const files = new VSCodeFiles({
    folders: () => [vscode.Uri.file(join(folder, "app"))],
    disk: roots => new NodeFiles(roots),
    hash,
    saveEdits: () => save.after,
  });
  const session = await new NodeStorage(join(folder, "storage")).create("ses_bench");
  const world = { folder, files, save, times, session };
  const results: Record<string, unknown> = {};
  for (const saves of [true, false]) results[saves ? "saved" : "unsaved"] = await compare(world, saves);
  results.session = await wholeCalls(world);
  await session.close();
  files.dispose();
  return results;
}

/** Both do the same to documents of their own, in turn. */
async function compare(world: World, saves: boolean) {
  const { folder, save, times } = world;
  save.after = saves;
  const bare = await open(folder, `bare-${saves}.txt`, vscode.ViewColumn.One);
  await open(folder, `tool-${saves}.txt`, vscode.ViewColumn.Two);
  const edit = editor(world, `tool-${saves}.txt`);
  await edit.read();
  const samples = { bare: [] as number[], tool: [] as number[], parts: [] as Record<string, number>[] };
  for (let count = 1; count <= RUNS + 3; count += 1) {
    const bareMs = await timed(() => bareEdit(bare, saves, count));
    const toolMs = await timed(() => edit.call(count));
    const parts = times.take();
    // The first ones warm up.
    if (count <= 3) continue;
    samples.bare.push(bareMs);
    samples.tool.push(toolMs);
    samples.parts.push(parts);
  }
  await vscode.commands.executeCommand("workbench.action.files.saveAll");
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  return samples;
}

async function open(folder: string, name: string, column: vscode.ViewColumn): Promise<vscode.TextDocument> {
  const path = join(folder, "app", name);
  writeFileSync(path, text);
  return (await vscode.window.showTextDocument(vscode.Uri.file(path), { viewColumn: column, preview: false })).document;
}

/** The least that an extension does to change a line, when it knows where it stands. */
async function bareEdit(document: vscode.TextDocument, saves: boolean, count: number): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, document.lineAt(LINES / 2).range, lineOf(count));
  if (!(await vscode.workspace.applyEdit(change))) throw new Error("the edit was refused");
  if (saves && !(await document.save())) throw new Error("the document was not saved");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** The tools as a session builds them, around files whose operations are timed. */
function editor({ files, times, session }: World, file_path: string) {
  const known = new KnownTexts();
  const measured = wrapped<Files>(files, {
    read: (ref, maxBytes) => times.of("read", () => files.read(ref, maxBytes)),
    apply: change => times.of("apply", () => files.apply(change)),
  });
  const kept = wrapped(session, {
    putSnapshot: (sha256, state) => times.of("snapshots", () => session.putSnapshot(sha256, state)),
  });
  const ports = {
    files: rememberingFiles(measured, known),
    textOf: async ({ sha256 }: { sha256: string }) => known.get(sha256),
    remember: async (text: string) => ({ sha256: nodeHash.sha256(text) }),
    search: new MemorySearch(new MemoryFiles()),
    snapshots: new Snapshots(kept, { hash: nodeHash, logger: { log: () => undefined } }),
  };
  const stamps = new Map<string, Stamp>();
  const context = { ...noSession(), stampOf: (uri: string) => stamps.get(uri) };
  const call = async (tool: Tool<never>, input: object): Promise<void> => {
    const prepared = await times.of("prepare", () => tool.prepare(input as never, context));
    const performed = await times.of("perform", () => prepared.perform(context));
    if (performed === MOVED) throw new Error("the document moved");
    for (const { uri, stamp } of (performed as ToolOutcome).stamps ?? []) stamps.set(uri, stamp);
  };
  let before = `const value${LINES / 2} = compute(${(LINES / 2) * 7});`;
  return {
    read: () => call(readTool(ports) as Tool<never>, { file_path, limit: 10 }),
    async call(count: number): Promise<void> {
      const old_string = before;
      before = lineOf(count);
      await call(editTool(ports) as Tool<never>, { file_path, old_string, new_string: before });
    },
  };
}

/** A call as a turn makes it: request, log and results around the tool. ms each. */
async function wholeCalls({ folder, files, save }: World): Promise<number[]> {
  save.after = true;
  await open(folder, "session.txt", vscode.ViewColumn.One);
  const driven = await DrivenSession.start({
    mode: "edits",
    on: { files, search: new MemorySearch(new MemoryFiles()) },
  });
  await driven.call("Read", { file_path: "session.txt", limit: 10 });
  const samples: number[] = [];
  let before = `const value${LINES / 2} = compute(${(LINES / 2) * 7});`;
  for (let count = 1; count <= RUNS; count += 1) {
    const input = { file_path: "session.txt", old_string: before, new_string: lineOf(count) };
    before = lineOf(count);
    samples.push(await timed(() => driven.call("Edit", input)));
  }
  await driven.close();
  return samples.slice(3);
}
