/** Facts about a command before it runs, for the decision; which files it may change. */

import { folderOf, isWithin, joinPath } from "../../shared/paths";
import type { FileRef } from "../ground/ports";
import type { CommandFact } from "./plain/commandReading";
import { plainName } from "./plain/programKinds";

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

/** All of its programs only read, as far as its text tells: in a sandbox that lets them do nothing else, a mistake is refused. */
export const seemsToRead = ({ parts, writes, changes }: CommandFacts): boolean =>
  writes.length + changes.length === 0 && parts.every(({ effect }) => effect !== "acts");

/** What takes files away, or puts other content in their place, with all that is in a folder; `mv` leaves the last one. */
const taking = /^(?:rm|shred|rimraf|mv|prettier)$/;
const gitTaking = /^(?:checkout|restore|reset|stash|clean|rm|mv|switch)$/;
/** With these, Git's commands take everything along. */
const sweeping = /^(?:--hard|--merge|--keep|--force|-f|--discard-changes)$/;
/** With these, files stay as they are. */
const sparing = /^(?:--staged|-S|--cached|-n|--dry-run|--soft|--check|-c|list|show|apply|pop|drop|clear|branch)$/;
/** These only read what they are given, but for the last. */
const copying = /^(?:cp|rsync|scp|install|ln)$/;

export const mayChangeFiles = ({ writes, changes, parts }: CommandFacts): boolean =>
  writes.length + changes.length > 0 || parts.some(part => takenBy(part).length > 0);

/** @param path absolute, '/' separators; so is `cwd` */
export function changesFile({ writes, changes, parts }: CommandFacts, cwd: string, path: string): boolean {
  const isRead = parts.every(({ words: [program = "", ...words] }) => {
    return copying.test(plainName(program)) && joinPath(cwd, words.at(-1) ?? "") !== path;
  });
  const changed = isRead ? writes : [...writes, ...changes];
  if (changed.some(({ absolute }) => absolute === path)) return true;
  return parts.some(part =>
    (part.folders ?? [cwd]).some(folder => takenBy(part).some(word => isWithin(joinPath(folder, word), path))),
  );
}

/** The paths (or branches) that it names, patterns as their folder, "." for all */
function takenBy({ words }: CommandFact): readonly string[] {
  const names = words.map(plainName);
  const git = names.indexOf("git");
  const isIt = git < 0 ? (words.includes("-delete") ? /^find$/ : taking) : gitTaking;
  const at = names.findIndex((name, index) => index > git && isIt.test(name));
  const [verb = "", rest] = [names[at], words.slice(at + 1)];
  if (at < 0 || rest.some(word => sparing.test(word))) return [];
  const paths = rest.filter(word => !word.startsWith("-"));
  const named = paths.map(path => (/[*?[]/.test(path) ? folderOf(path) || "." : path));
  if (verb === "mv") return named.slice(0, -1);
  if (git < 0 || verb === "rm") return named;
  const isAll = verb === "stash" || (verb === "clean" && named.length === 0);
  if (isAll || rest.some(word => sweeping.test(word))) return ["."];
  return verb === "reset" || verb === "switch" ? [] : named;
}
