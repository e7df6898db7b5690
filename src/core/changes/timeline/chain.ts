/**
 * What became of each file over a stretch of a session: what the agent's edits, its commands and earlier rewinds did to it, one
 * after the other. Pure.
 */
import { type FileState, sameState } from "../../../shared/fileStates";
import type { Link } from "./timeline";

/** Consecutive changes of a file without others' changes between them, as one. */
export interface ChainSegment {
  before: FileState;
  after: FileState;
}

export interface FileChain {
  uri: string;
  path: string;
  /** oldest first; between two of them others changed the file */
  segments: [ChainSegment, ...ChainSegment[]];
  /** it was not there before, and that is sure */
  made: boolean;
  /** a person, or another session, changed it while a command ran */
  shared: boolean;
  /** the command that was the first to change it */
  during?: string | undefined;
}

/** In the order in which the files were first changed. */
export function fileChains(links: readonly Link[]): FileChain[] {
  const chains = new Map<string, FileChain>();
  for (const link of links.toSorted((a, b) => a.at - b.at)) {
    const during = link.who === "command" ? link.during : undefined;
    const { uri, path, before, after, made = false, shared = false } = link.change;
    const chain = chains.get(uri);
    if (!chain) {
      const isMade = before === null && made;
      chains.set(uri, { uri, path, segments: [{ before, after }], made: isMade, shared, during });
      continue;
    }
    chain.shared ||= shared;
    const last = chain.segments.at(-1);
    if (last && sameState(last.after, before)) last.after = withMode(after, before);
    else chain.segments.push({ before, after });
  }
  return [...chains.values()];
}

/** An edit says nothing of permissions: they are what they were. */
function withMode(state: FileState, before: FileState): FileState {
  if (state?.type !== "file" || before?.type !== "file" || state.mode !== undefined) return state;
  return before.mode === undefined ? state : { ...state, mode: before.mode };
}
