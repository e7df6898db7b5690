/** What sees to it that files can be put back, for those who build a session. */
import type { Baselines, DiskStates, Logger } from "../../core/ports";
import { NodeBaselines } from "./baseline";
import { diskStates } from "./diskStates";

/**
 * @param roots the workspace's folders on disk
 * @param keep where copies go while the process runs
 */
export function rewinding({
  roots,
  keep: scratch,
  logger,
}: {
  roots(): readonly { path: string }[];
  keep: string;
  logger: Logger;
}): { baselines: Baselines; disk: DiskStates } {
  const folders = () => roots().map(({ path }) => path);
  return { baselines: new NodeBaselines({ folders, scratch, logger }), disk: diskStates };
}
