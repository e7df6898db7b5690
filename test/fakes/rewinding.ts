/** What sees to it that files can be put back, on a workspace in memory: files only, without permissions. */
import type { Baseline, Baselines, CommandChange, DiskStates, StateStore } from "../../src/core/ground/ports";
import { FileError } from "../../src/core/ground/ports";
import { type FileState, sameState } from "../../src/shared/fileStates";
import type { MemoryFiles } from "./files";
import { hash } from "./hash";

export const rewinding = (files: MemoryFiles): { baselines: Baselines; disk: DiskStates } => ({
  baselines: new MemoryBaselines(files),
  disk: new MemoryDiskStates(files),
});

const stateOf = (bytes: Uint8Array | undefined): FileState =>
  bytes === undefined ? null : { type: "file", sha256: hash.sha256(bytes), mode: 0o644 };

export class MemoryDiskStates implements DiskStates {
  constructor(private readonly files: MemoryFiles) {}

  async look(path: string, maxBytes: number) {
    const bytes = this.files.bytesOnDisk(path);
    if (bytes && bytes.length > maxBytes) return { state: { type: "unkept" as const, why: "it is too large" } };
    return { state: stateOf(bytes), ...(bytes && { bytes }) };
  }

  /** In memory there are none without a file. */
  async removeFolder(): Promise<boolean> {
    return false;
  }

  async put(path: string, from: FileState, to: FileState, bytes: Uint8Array | undefined): Promise<"done" | "stale"> {
    if (from?.type === "link" || to?.type === "link") throw new FileError("IO", "There are no links here.");
    if (from?.type === "unkept" || to?.type === "unkept") return "stale";
    if (!sameState(stateOf(this.files.bytesOnDisk(path)), from)) return "stale";
    if (to === null) this.files.remove(path);
    else if (!bytes || hash.sha256(bytes) !== to.sha256) return "stale";
    else this.files.put(path, bytes);
    return "done";
  }
}

class MemoryBaselines implements Baselines {
  constructor(private readonly files: MemoryFiles) {}

  open(store: StateStore): Baseline {
    return {
      prepare: () => undefined,
      close: async () => undefined,
      before: async () => {
        const before = this.seen();
        return async () => ({ changes: await this.changes(before, this.seen(), store), gaps: [] });
      },
    };
  }

  private seen(): Map<string, Uint8Array> {
    return new Map(this.files.namesOnDisk().map(path => [path, this.files.bytesOnDisk(path) ?? new Uint8Array()]));
  }

  private async changes(
    before: ReadonlyMap<string, Uint8Array>,
    after: ReadonlyMap<string, Uint8Array>,
    store: StateStore,
  ): Promise<CommandChange[]> {
    const changes: CommandChange[] = [];
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(path), after.get(path)];
      if (sameState(stateOf(was), stateOf(is))) continue;
      for (const bytes of [was, is]) if (bytes) await store.put(bytes);
      const { uri } = await this.files.resolve(path);
      changes.push({ uri, path, before: stateOf(was), after: stateOf(is), made: was === undefined });
    }
    return changes;
  }
}
