/** The parts that put files back, built for a session. */
import type { Baselines, DiskStates, Logger } from "../../core/ground/ports";
import { NodeBaselines } from "./baseline";
import { diskStates } from "./diskStates";

interface RewindingDeps {
  /** the workspace's folders on disk */
  roots(): readonly { path: string }[];
  /** where copies go while the process runs */
  keep: string;
  logger: Logger;
}

export function rewinding({ roots, keep, logger }: RewindingDeps): { baselines: Baselines; disk: DiskStates } {
  const folders = () => roots().map(({ path }) => path);
  return { baselines: new NodeBaselines({ folders, scratch: keep, logger }), disk: diskStates };
}
