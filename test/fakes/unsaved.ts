/** The documents of the workspace in memory that hold unsaved text, and what saving them does. */
import type { FileRef, SaveOutcome, SavesFollowed, UnsavedFiles } from "../../src/core/ground/ports";
import type { MemoryFiles } from "./files";

export class MemoryUnsaved implements UnsavedFiles {
  /** Why a file cannot be saved, by its path. */
  readonly failing = new Map<string, string>();
  /** what it was asked to save, by path, in order */
  readonly asked: string[] = [];
  private readonly followers = new Set<Set<string>>();

  constructor(private readonly files: MemoryFiles) {
    files.onChange = ({ uri }) => {
      for (const saved of this.followers) saved.add(uri);
    };
  }

  async unsaved(): Promise<FileRef[]> {
    return this.files
      .all()
      .map(({ ref }) => ref)
      .filter(ref => ref.inside && this.files.open.get(ref.absolute)?.dirty)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async save(files: readonly FileRef[]): Promise<SaveOutcome> {
    const outcome: SaveOutcome = { saved: [], failed: [] };
    for (const ref of files) {
      this.asked.push(ref.path);
      const isGone = this.files.onDisk(ref.absolute) === undefined;
      const why = isGone ? "its file was deleted" : this.failing.get(ref.path);
      if (why !== undefined) outcome.failed.push({ ref, why });
      else {
        if (this.files.open.get(ref.absolute)?.dirty) this.personSaves(ref.path);
        outcome.saved.push(ref);
      }
    }
    return outcome;
  }

  followSaves(): SavesFollowed {
    const saved = new Set<string>();
    this.followers.add(saved);
    return {
      saved: async () => new Set(saved),
      end: () => void this.followers.delete(saved),
    };
  }

  /** How many follow what is saved. */
  get following(): number {
    return this.followers.size;
  }

  /** Saves in the editor: `formatOnSave` runs. */
  personSaves(path: string): void {
    const ref = this.files.all().find(file => file.ref.path === path)?.ref;
    const document = ref && this.files.open.get(ref.absolute);
    if (!document) throw new Error(`${path} is not open`);
    this.files.store(ref.absolute, document.text, document.encoding, true);
    for (const saved of this.followers) saved.add(ref.uri);
  }
}
