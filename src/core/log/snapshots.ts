/**
 * States of files before and after a change (docs/formats.md): what undo and "what changed" stand on. As they are, with what is
 * secret in them; they never leave the machine.
 */
import type { FileChange } from "../../shared/toolResult";
import { MAX_SNAPSHOT_BYTES } from "../../shared/undoLimits";
import { type Hash, type Logger, onlyFor, type SessionFiles, StorageError } from "../ground/ports";

export type SnapshotFields = Pick<FileChange, "before" | "after" | "unkept">;

/** The state before a change is on disk; null: there was no file. */
export interface KeptState {
  /** Keeps the state after it too. Never rejects: the change is made. @param text null: the file is gone */
  with(text: string | null): Promise<SnapshotFields>;
}

/** A state of a file that should be there is not, or is damaged; the message is for people. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

type Name = { sha256: string | null } | { unkept: string };

const utf8 = new TextEncoder();

export class Snapshots {
  constructor(
    private readonly files: Pick<SessionFiles, "putSnapshot" | "getSnapshot">,
    private readonly deps: { hash: Hash; logger: Logger },
  ) {}

  /**
   * Before a change: resolves when the state is on disk for good. What cannot be kept (too large, a full disk) stops no
   * change: it cannot be undone then. Rejects with StorageError only where another window has the session: it is not ours to
   * change files any more.
   */
  async keep(before: string | null): Promise<KeptState> {
    const was = await this.put(before);
    return {
      with: async after => {
        const is = await this.put(after).catch((): Name => ({ unkept: "not-stored" }));
        return {
          ...("sha256" in was ? { before: was.sha256 } : was),
          ...("sha256" in is ? { after: is.sha256 } : is),
        };
      },
    };
  }

  /** Both states of a change that somebody else made, a command for example. Never rejects. */
  async keepBoth(before: string | null, after: string | null): Promise<SnapshotFields> {
    try {
      return await (await this.keep(before)).with(after);
    } catch {
      // Another window has the session: what is logged of the change will say so.
      return { unkept: "not-stored" };
    }
  }

  /** Rejects with SnapshotError. @param path of the file, for the message */
  async text(sha256: string | null, path: string): Promise<string | null> {
    if (sha256 === null) return null;
    const text = await this.files.getSnapshot(sha256).catch(
      onlyFor(StorageError, ({ message }) => {
        throw new SnapshotError(`The state in which ${path} was kept cannot be read. ${message}`);
      }),
    );
    if (text !== undefined) return text;
    throw new SnapshotError(
      `The state in which ${path} was kept is not in this session: its file is gone, or the session was imported (an export leaves such states out).`,
    );
  }

  /** undefined: it was not kept, or is not to be had any more */
  async textIfKept(sha256: string | null | undefined): Promise<string | null | undefined> {
    if (sha256 === undefined) return undefined;
    return this.text(sha256, "").catch(onlyFor(SnapshotError, () => undefined));
  }

  /** Both states of a change; undefined: one of them was not kept, or is not to be had any more. */
  async bothIfKept(kept: SnapshotFields): Promise<{ before: string | null; after: string | null } | undefined> {
    const [before, after] = await Promise.all([this.textIfKept(kept.before), this.textIfKept(kept.after)]);
    return before === undefined || after === undefined ? undefined : { before, after };
  }

  private async put(text: string | null): Promise<Name> {
    if (text === null) return { sha256: null };
    if (utf8.encode(text).length > MAX_SNAPSHOT_BYTES) return { unkept: "too-large" };
    if (!text.isWellFormed()) return { unkept: "not-text" };
    const sha256 = this.deps.hash.sha256(text);
    try {
      await this.files.putSnapshot(sha256, text);
      return { sha256 };
    } catch (error) {
      if (!(error instanceof StorageError) || error.code === "LOST_LOCK" || error.code === "READ_ONLY") throw error;
      this.deps.logger.log("warning", "a state of a file was not kept: a change cannot be undone", {
        error: error.message,
      });
      return { unkept: "not-stored" };
    }
  }
}
