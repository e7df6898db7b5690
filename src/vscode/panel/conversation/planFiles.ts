/**
 * Plans as documents of a scheme of their own, so that they are edited like any file and yet belong to no workspace. What is
 * saved lies in the folder of their session and goes with it; it is there from activation on, for tabs that come back.
 */
import * as vscode from "vscode";
import { t } from "../../../shared/l10n";

export const PLAN_SCHEME = "strata-plan";

/** The session is what the path does not show: people see it in tabs and above the text. */
const SESSION = /^[\w-]{1,100}$/;
/** In whatever language: a tab comes back where that was changed, too. */
const PATH = /^\/\D*([0-9]{1,9})\D*\.md$/;

type PlanPlace = { sessionId: string; turn: number };

export const planUri = ({ sessionId, turn }: PlanPlace): vscode.Uri =>
  vscode.Uri.from({ scheme: PLAN_SCHEME, authority: sessionId, path: `/${t("Plan of turn {0}", turn)}.md` });

/** undefined: it is no plan */
export function planPlace({ scheme, authority, path }: vscode.Uri): PlanPlace | undefined {
  if (scheme !== PLAN_SCHEME) return undefined;
  const [, turn] = PATH.exec(path) ?? [];
  return turn === undefined || !SESSION.test(authority) ? undefined : { sessionId: authority, turn: Number(turn) };
}

/** What file systems of documents have in common: no folders, and only Strata changes them. */
export abstract class DocumentFiles {
  protected readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  readonly readDirectory = refuse;
  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
}

export class PlanFileSystem extends DocumentFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly registration: vscode.Disposable;

  /** @param sessions folder in which each session has one */
  constructor(private readonly sessions: vscode.Uri) {
    super();
    this.registration = vscode.workspace.registerFileSystemProvider(PLAN_SCHEME, this, { isCaseSensitive: true });
  }

  /** Lays it down as it was proposed, where nobody did yet: what was made of it since stays. */
  async begin(uri: vscode.Uri, text: string): Promise<void> {
    try {
      await vscode.workspace.fs.stat(this.stored(uri));
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await this.writeFile(uri, new TextEncoder().encode(text));
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return asHere(uri, async () => vscode.workspace.fs.stat(this.stored(uri)));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return asHere(uri, async () => vscode.workspace.fs.readFile(this.stored(uri)));
  }

  /** Whole or not at all, and only where its session is still there: a removed one leaves nothing behind. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const stored = this.stored(uri);
    const part = stored.with({ path: `${stored.path}.part` });
    await asHere(uri, async () => {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(stored, "../../.."));
      await vscode.workspace.fs.writeFile(part, content);
      await vscode.workspace.fs.rename(part, stored, { overwrite: true });
    });
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }

  /** Throws FileNotFound for a name that is none of ours. */
  private stored(uri: vscode.Uri): vscode.Uri {
    const place = planPlace(uri);
    if (!place) throw vscode.FileSystemError.FileNotFound(uri);
    return vscode.Uri.joinPath(this.sessions, place.sessionId, "plans", `${place.turn}.md`);
  }
}

const isAbsent = (error: unknown) => error instanceof vscode.FileSystemError && error.code === "FileNotFound";

/** Nobody is told of a path that they did not ask for. */
async function asHere<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAbsent(error) ? vscode.FileSystemError.FileNotFound(uri) : error;
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
