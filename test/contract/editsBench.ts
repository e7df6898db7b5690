/** What the tests of edits stand on: a workspace, perhaps with a person at an editor, and sessions in it. */
import assert from "node:assert/strict";
import type { Files, Search } from "../../src/core/ground/ports";
import { type DrivenOptions, DrivenSession, type Told } from "../fakes/drivenSession";
import type { FilesWorld } from "./files";

/** A person at an editor. */
export interface Typist {
  open(path: string): Promise<void>;
  /** Replaces the first `before`; the document is open. Not saved. */
  type(path: string, before: string, after: string): Promise<void>;
  save(path: string): Promise<void>;
  undo(path: string): Promise<void>;
  /** what the editor shows */
  text(path: string): string;
}

export interface EditsWorld extends FilesWorld {
  files: Files;
  search: Search;
  typist?: Typist;
  /** From now on, saving `*.formatted` collapses runs of spaces; absent: there is no formatter. */
  formatOnSave?(): Promise<void>;
}

export const path = "src/a.ts";
export const lines = (...texts: string[]) => texts.map(text => `${text}\n`).join("");
export const five = lines("a", "b", "c", "d", "e");
export const edit = (old_string: string, new_string: string, more: object = {}) => ({
  file_path: path,
  old_string,
  new_string,
  ...more,
});

/** A world and sessions in it, for one test. */
export class EditsBench {
  private readonly sessions: DrivenSession[] = [];

  constructor(readonly world: EditsWorld) {}

  /** Reads and edits run without a question unless `mode` says otherwise. */
  async session(options: DrivenOptions = {}): Promise<DrivenSession> {
    const { files, search } = this.world;
    const session = await DrivenSession.start({ mode: "edits", on: { files, search }, ...options });
    this.sessions.push(session);
    return session;
  }

  /** A session that has read `path`, which holds `content`. */
  async reader(content: string | Uint8Array = five, options: DrivenOptions = {}): Promise<DrivenSession> {
    await this.world.put(path, content);
    const session = await this.session(options);
    assert.equal((await session.call("Read", { file_path: path })).status, "ok");
    return session;
  }

  async onDisk(of = path): Promise<string | undefined> {
    const bytes = await this.world.bytes(of);
    return bytes && Buffer.from(bytes).toString("utf8");
  }

  async end(): Promise<void> {
    for (const session of this.sessions) await session.close();
    await this.world.dispose();
  }
}

/** What the model must be told, whatever else: a code (or `ok`), and words. */
export function assertTold(told: Told, status: string, text: RegExp): void {
  assert.equal(told.status, status, told.text);
  assert.match(told.text, text);
}
