/** Facts about a command before it runs, for the decision; which files it may change. */

import type { FileRef } from "../ground/ports";
import type { CommandFact } from "./plain/commandReading";

export interface CommandFacts {
  parts: readonly CommandFact[];
  /** why it always asks: it is unknown what runs */
  problems: readonly string[];
  /** The strict language does not have it: its text without quotes, in which any word may be a program; absent: it was read. */
  unread?: string;
  /**
   * Why it is not certain that it only reads, and what: a part of a sentence; absent: it is. Without a sandbox, nothing else runs
   * unasked.
   */
  uncertain?: string;
  /** absolute folders in which it starts Git, where that is certain; absent: it does not */
  gitFolders?: readonly string[];
  /** files that it names: those that it reads, or that a program which is not known may read or write */
  reads: readonly FileRef[];
  /** files that it writes by redirection */
  writes: readonly FileRef[];
  /** files that it names and may change, by programs that change what they are given */
  changes: readonly FileRef[];
  /** folders whose files' content it shows */
  folders: readonly FileRef[];
  /** it shows what came over the network */
  fetches: boolean;
  /** where paths lead that it names, or that it runs in, and that are links: absolute */
  links?: Readonly<Record<string, string>>;
  /** the scripts that it may start: paths and texts, NUL between them, two between scripts */
  scripts?: string;
  /** it names a file that is only known when it runs, or shows one that it does not name: a part of a sentence */
  unknownFile?: string;
}

/** The trust of its output, where that is foreign. */
export function printedTrust(
  facts: Pick<CommandFacts, "fetches" | "reads"> | undefined,
): "web" | "outside" | undefined {
  if (facts?.fetches) return "web";
  return facts?.reads.some(({ inside }) => !inside) ? "outside" : undefined;
}
