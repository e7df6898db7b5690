/**
 * Files with changes that wait, as texts: between which two the changes lie, and what stands in the file now. Both are read when
 * they are needed, and what lies between two texts is worked out once.
 */
import { MAX_EDIT_BYTES } from "../edits/fileEdit";
import { resolveRecordedFile } from "../edits/recordedFile";
import { ChangeRecords } from "../history/changeRecords";
import type { History } from "../history/history";
import { FileError, type FileRef, type Files, SessionError } from "../ports";
import { changedLines, withLf } from "../text/lines";
import type { Snapshots } from "../versions/snapshots";
import { type Change, findHunks, type Hunk, reviewLines } from "./hunks";
import { type Unreviewed, UnreviewedFiles } from "./unreviewed";

export interface WaitingDeps {
  history: History;
  files: Pick<Files, "resolve" | "read">;
  snapshots: Snapshots;
}

/** The texts between which the changes of a file lie. */
export interface Texts {
  base: string | null;
  agent: string | null;
  baseLines: string[];
  agentLines: string[];
  /** from the one to the other */
  edits: readonly Change[];
}

export interface Now {
  text: string;
  sha256: string;
}

export const GONE = "This change does not wait for a review any more: it was kept, taken back or rewritten.";

export class WaitingChanges {
  private readonly unreviewed: UnreviewedFiles;
  private readonly texts = new WeakMap<Unreviewed, Promise<Texts | undefined>>();

  constructor(private readonly deps: WaitingDeps) {
    this.unreviewed = new UnreviewedFiles(new ChangeRecords(deps.history), deps.snapshots);
  }

  /** In the order of their newest record, the newest last. */
  files(): Promise<Unreviewed[]> {
    return this.unreviewed.read();
  }

  /** @param upTo number of the newest edit that counts in it; absent: all do */
  async find(uri: string, upTo?: number): Promise<Unreviewed | undefined> {
    if (upTo !== undefined) return this.unreviewed.readUpTo(uri, upTo);
    return (await this.files()).find(file => file.uri === uri);
  }

  /** Rejects with SessionError where nothing of it does. */
  async require(uri: string, upTo?: number): Promise<Unreviewed> {
    const file = await this.find(uri, upTo);
    if (!file) throw new SessionError("Nothing of this file waits for a review.");
    return file;
  }

  /** undefined: nobody kept them */
  textsOf(file: Unreviewed): Promise<Texts | undefined> {
    const known = this.texts.get(file) ?? this.readTexts(file);
    this.texts.set(file, known);
    return known;
  }

  private async readTexts(file: Unreviewed): Promise<Texts | undefined> {
    const [base, agent] = await Promise.all([this.unreviewed.text(file.base), this.unreviewed.text(file.agent)]);
    if (base === undefined || agent === undefined) return undefined;
    const [baseLines, agentLines] = [reviewLines(base ?? ""), reviewLines(agent ?? "")];
    return { base, agent, baseLines, agentLines, edits: changedLines(baseLines, agentLines) };
  }

  /** null: no file; undefined: none whose text could be looked at */
  async textNow(ref: FileRef): Promise<Now | null | undefined> {
    try {
      const file = await this.deps.files.read(ref, MAX_EDIT_BYTES);
      return file.kind === "text" ? { text: file.text, sha256: file.stamp.sha256 } : undefined;
    } catch (error) {
      if (error instanceof FileError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }

  /**
   * One change of it, as it stands in the file now, or stood there before the agent changed the file on.
   * Rejects with SessionError where it is none any more or nobody kept the texts, and FileError.
   */
  async hunk(file: Unreviewed, id: string): Promise<{ texts: Texts; hunk: Hunk; isOnly: boolean }> {
    const texts = await this.textsOf(file);
    if (!texts) throw new SessionError(lostWords(file.path));
    const isNewest = (await this.find(file.uri))?.edit === file.edit;
    const now = await this.textNow(await resolveRecordedFile(this.deps.files, file));
    const stand = now && texts.agent !== null ? hunksIn(texts, now.text) : [];
    const left = isNewest || texts.agent === null ? [] : hunksIn(texts, texts.agent);
    const hunk = [...left, ...stand].find(each => hunkId(file, each) === id);
    if (!hunk) throw new SessionError(GONE);
    return { texts, hunk, isOnly: isNewest && stand.length === 1 };
  }

  /** The same as names of snapshots; undefined: they cannot be kept. */
  async statesOf({ base, agent }: Unreviewed) {
    if ("sha256" in base && "sha256" in agent) return { base: base.sha256, agent: agent.sha256 };
    const [old, left] = await Promise.all([this.unreviewed.text(base), this.unreviewed.text(agent)]);
    if (old === undefined || left === undefined) return undefined;
    return this.keepStates(old, left);
  }

  /** undefined: they cannot be kept */
  async keepStates(base: string | null, agent: string | null): Promise<States | undefined> {
    const { before, after } = await (await this.deps.snapshots.keep(base)).with(agent);
    return before === undefined || after === undefined ? undefined : { base: before, agent: after };
  }
}

/** Names of the snapshots with the texts between which changes lie; null: no file. */
export interface States {
  base: string | null;
  agent: string | null;
}

export const lostWords = (path: string) =>
  `What ${path} held before is not in this session (an export leaves that out), so its changes can't be taken back one by one.`;

export const hunksIn = ({ baseLines, agentLines, agent, edits }: Texts, text: string): Hunk[] => {
  const now = agent !== null && withLf(text) === withLf(agent) ? agentLines : reviewLines(text);
  return findHunks(baseLines, agentLines, now, edits);
};

/** Holds as long as the agent's text and this change do, whatever is typed around it. */
export const hunkId = ({ version }: Unreviewed, { agent, base }: Hunk): string =>
  `${version}:${agent.first}+${agent.count}${agent.count === 0 ? `-${base.count}` : ""}`;
