/** The folder in which commands run: kept between calls, and, through the log, between processes. */
import type { History } from "../history/history";

/** @param root where it begins: absolute */
export function workingDirectory({ conversation }: History, root: string) {
  const logged = () => conversation.cwd ?? root;
  // Only until the call's record has it: from then on the log says it, also where another window goes on in between.
  let fresh: string | undefined;
  return {
    get: () => fresh ?? logged(),
    set: (path: string) => {
      fresh = path;
    },
    /** what the log does not know yet, for the record that is about to be written */
    takeChanged: () => {
      const path = fresh;
      fresh = undefined;
      return path === logged() ? undefined : path;
    },
  };
}
