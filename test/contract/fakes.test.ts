/** The fakes keep the contracts that the real adapters keep: what is tested against them holds. */
import { MemoryFiles } from "../fakes/files";
import { MemorySearch } from "../fakes/search";
import { MemoryDisk, MemoryStorage } from "../fakes/storage";
import { filesContract } from "./files";
import { searchContract } from "./search";
import { storageContract } from "./storage";

filesContract("MemoryFiles", async rootNames => {
  const files = new MemoryFiles(Object.fromEntries(rootNames.map(name => [name, {}])));
  const atRoot = (path: string) =>
    rootNames.some(name => path.startsWith(`${name}:`)) ? path : `${rootNames[0]}:${path}`;
  return {
    files,
    outside: "/elsewhere",
    put: async (path, content) => files.put(atRoot(path), content),
    bytes: async path => files.bytesOnDisk(atRoot(path)),
    remove: async path => files.remove(atRoot(path)),
    mkdir: async path => files.mkdir(atRoot(path)),
    dispose: async () => undefined,
  };
});

searchContract("MemorySearch", async (tree, ignore) => {
  const files = new MemoryFiles({ app: tree });
  return { files, search: new MemorySearch(files, ignore), dispose: async () => undefined };
});

storageContract("MemoryStorage", async () => {
  const disk = new MemoryDisk();
  return {
    storage: new MemoryStorage(disk),
    other: new MemoryStorage(disk),
    put: async (id, name, text) => disk.put(id, name, text),
    dispose: async () => undefined,
  };
});
