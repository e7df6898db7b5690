/** The disk of the crash tests is a disk: the real storage keeps its contract on it. */
import { NodeStorage } from "../../../src/node/storage/sessionStorage";
import { storageContract } from "../../contract/storage";
import { ModelDisk } from "../../fakes/disk/modelDisk";

const TIMES = { heartbeatMs: 50, staleMs: 400, pollMs: 20 };

storageContract("NodeStorage on a modelled disk", async () => {
  const disk = new ModelDisk();
  const open = () => new NodeStorage("/state", TIMES, disk.process());
  return {
    storage: open(),
    other: open(),
    put: async (id, name, text) => disk.put(`/state/sessions/${id}/${name}`, text),
    dispose: async () => undefined,
  };
});
