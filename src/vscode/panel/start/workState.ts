/** The workspace's state, for the offers of an empty session. Read when that is shown, never before. */
import * as vscode from "vscode";
import type { Logger, WallClock } from "../../../core/ground/ports";
import { oneLine } from "../../../core/ground/text/format";
import { defined } from "../../../shared/defined";
import { formatClockTime } from "../../../shared/format";
import { writeMention } from "../../../shared/mentions/write";
import { fileName } from "../../../shared/paths";
import { uncommittedFiles } from "../../attachments/gitExtension";
import type { TerminalCommands } from "../../attachments/terminal";
import { folderAround, isNameable, workspaceFolders } from "../../editor/documents";
import type { LastActiveEditor } from "../../editor/lastActiveEditor";
import { logged } from "../../platform/async";
import type { Sessions } from "../sessions/sessions";
import type { WorkState } from "./workOffers";

interface WorkStateDeps {
  sessions: Sessions;
  terminals: TerminalCommands;
  inUse: LastActiveEditor;
  /** the path of a file as its mentions have it, without waiting */
  pathOf(uri: vscode.Uri): string;
  /** whether the offline model answers */
  isDemo(): boolean;
  clock: WallClock;
  logger: Logger;
}

/** Git's extension may still be looking, ms: what it does not know yet is not offered. */
const GIT_MS = 500;
const COMMAND_CHARACTERS = 60;

/** Files in the root folder that say how the project is tested. */
const testFiles = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "Makefile"];

export async function readWorkState(deps: WorkStateDeps): Promise<WorkState> {
  const { sessions, terminals, clock, logger } = deps;
  const [folder] = workspaceFolders();
  /** What cannot be found out is not offered. */
  const orNothing = <T>(read: () => Promise<T>) =>
    read().catch(logged(logger, "debug", "the workspace's state is not known"));
  const lastSession = async () => (await sessions.list()).find(({ id }) => id !== sessions.current?.id);
  const [uncommitted, last, canTest = false] = await Promise.all([
    orNothing(readUncommitted),
    orNothing(lastSession),
    orNothing(async () => folder !== undefined && (await isTestable(folder.uri))),
  ]);
  const failed = terminals.failed();
  return {
    ...defined({ uncommitted, problems: findProblems(), open: openFile(deps) }),
    ...defined({ failed: failed && { command: oneLine(failed.command, COMMAND_CHARACTERS) } }),
    ...defined({ last: last && { id: last.id, title: last.title, when: formatClockTime(last.updated, clock.now()) } }),
    canTest,
    isDemo: deps.isDemo(),
  };
}

function openFile({ inUse, pathOf }: WorkStateDeps): WorkState["open"] {
  const uri = inUse.active()?.uri;
  if (!uri || !isNameable(uri)) return undefined;
  return { name: fileName(uri.path), mention: writeMention(pathOf(uri)) };
}

async function readUncommitted(): Promise<number> {
  const folders = workspaceFolders().map(({ uri }) => uri.fsPath.replaceAll("\\", "/"));
  return uncommittedFiles(folders, AbortSignal.timeout(GIT_MS));
}

function findProblems(): WorkState["problems"] {
  const found = vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const errors = diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
    return errors > 0 && folderAround(uri) ? { uri, errors } : [];
  });
  const [first, ...more] = found;
  if (!first) return undefined;
  const errors = found.reduce((sum, each) => sum + each.errors, 0);
  return more.length === 0 ? { errors, file: fileName(first.uri.path) } : { errors };
}

async function isTestable(folder: vscode.Uri): Promise<boolean> {
  const names = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name));
  return testFiles.some(name => names.has(name));
}
