/** A storage under test, and what its sessions are opened with; everything is closed after each test. */
import type { SessionFiles, SessionStorage } from "../../src/core/ground/ports";

export interface StorageWorld {
  storage: SessionStorage;
  /** another window on the same disk */
  other: SessionStorage;
  /** Writes a file of a session behind everyone's back. */
  put(id: string, name: string, text: string): Promise<void>;
  dispose(): Promise<void>;
}

export function useWorld(make: () => Promise<StorageWorld>) {
  let current: StorageWorld;
  let open: SessionFiles[];
  beforeEach(async () => {
    current = await make();
    open = [];
  });
  afterEach(async () => {
    for (const files of open) await files.close();
    await current.dispose();
  });
  const keep = (files: SessionFiles) => {
    open.push(files);
    return files;
  };
  return {
    world: () => current,
    keep,
    create: async (id = "ses_1", storage = current.storage) => keep(await storage.create(id)),
    reopen: async (id = "ses_1", storage = current.storage) => keep(await storage.open(id)),
  };
}
