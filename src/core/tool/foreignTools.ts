/** The seam by which tools come that are not ours. */
import type { Tool } from "./tool";

/** Tools that are not ours: of servers, which nobody starts to know what they have. */
export interface ForeignTools {
  /** Before a turn: reads what is set up now. Never rejects. */
  refresh(): Promise<void>;
  /**
   * As they are now; always in the same order, as long as they are the same.
   * @param found names of tools that this session looked for and found
   */
  list(found: ReadonlySet<string>): readonly Tool[];
}
