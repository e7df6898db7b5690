/** What sees to it that files can be put back, for those who build a session. */
import type { Baselines, Clock, DiskStates, Logger, SessionStorage } from "../../core/ground/ports";
import { nodeClock } from "../system";
import { NodeBaselines } from "./baseline";
import { diskStates } from "./diskStates";

/** ms: measuring looks at every file of every session */
const MEASURE_AGAIN = 10 * 60_000;

interface RewindingDeps {
  /** the workspace's folders on disk */
  roots(): readonly { path: string }[];
  /** where copies go while the process runs */
  keep: string;
  storage: Pick<SessionStorage, "roughBytes">;
  /** `strata.storage.maxBytes`; 0: no limit */
  maxBytes(): number;
  logger: Logger;
  /** default: this machine's */
  clock?: Clock;
}

export function rewinding(deps: RewindingDeps): { baselines: Baselines; disk: DiskStates } {
  const { roots, keep: scratch, logger, clock = nodeClock } = deps;
  const folders = () => roots().map(({ path }) => path);
  const room = new Room({ ...deps, clock });
  return {
    baselines: new NodeBaselines({ folders, scratch, logger, clock, hasRoom: () => room.isLeft() }),
    disk: diskStates,
  };
}

/** Whether sessions take less than they may. It is measured behind what asks: until then there is room. */
class Room {
  private bytes = 0;
  private measured: number | undefined;

  constructor(private readonly deps: Pick<RewindingDeps, "storage" | "maxBytes" | "logger"> & { clock: Clock }) {}

  isLeft(): boolean {
    const limit = this.deps.maxBytes();
    if (limit === 0) return true;
    if (this.measured === undefined || this.deps.clock.now() - this.measured > MEASURE_AGAIN) void this.measure();
    return this.bytes < limit;
  }

  private async measure(): Promise<void> {
    this.measured = this.deps.clock.now();
    try {
      this.bytes = await this.deps.storage.roughBytes();
    } catch (error) {
      this.deps.logger.log("warning", "the size of the sessions is not known", { error: String(error) });
    }
  }
}
