/** Which files a command may leave otherwise than they are, as far as its text tells. Decides nothing. */
import { folderOf, isWithin, joinPath } from "../../shared/paths";
import type { CommandFacts } from "./commandFacts";
import type { CommandFact } from "./plain/commandReading";
import { plainName } from "./plain/programKinds";

/** Of Git's commands: those that put other content in the place of files that were not committed. */
const discarding = /^(?:checkout|restore|reset|stash|clean|rm|mv|switch)$/;
/** these take the whole folder along */
const sweeping = /^(?:--hard|--merge|--keep|--force|-f|--discard-changes)$/;
/** words behind `stash` with which it takes nothing away */
const harmlessStash = /^(?:list|show|apply|pop|drop|clear|branch|create|store)$/;
/** with these, the files themselves stay */
const sparing = /^(?:--staged|-S|--cached|-n|--dry-run|--soft|--check|-c)$/;
/** these take folders with all that is in them; `mv` leaves the last one */
const taking = /^(?:rm|shred|rimraf|mv|prettier)$/;
/** these only read what they are given, but for the last */
const copying = /^(?:cp|rsync|scp|install|ln)$/;

export const mayChangeFiles = ({ writes, changes, parts }: CommandFacts): boolean =>
  writes.length + changes.length > 0 || parts.some(part => takenBy(part) !== undefined);

/** @param path absolute, '/' separators; so is `cwd` */
export function changesFile({ writes, changes, parts }: CommandFacts, cwd: string, path: string): boolean {
  if (writes.some(({ absolute }) => absolute === path)) return true;
  const copies = parts.filter(({ words: [program = ""] }) => copying.test(plainName(program)));
  const isRead =
    copies.length === parts.length && !copies.some(({ words }) => joinPath(cwd, words.at(-1) ?? "") === path);
  if (!isRead && changes.some(({ absolute }) => absolute === path)) return true;
  return parts.some(part => {
    const taken = takenBy(part) ?? [];
    return (part.folders ?? [cwd]).some(folder => taken.some(word => isWithin(joinPath(folder, word), path)));
  });
}

/** The paths (or branches) that it names, patterns as their folder, "." for all; undefined: it takes nothing away */
function takenBy({ words }: CommandFact): readonly string[] | undefined {
  if (words.some(word => sparing.test(word))) return undefined;
  const names = words.map(plainName);
  const git = names.indexOf("git");
  const verb = git < 0 ? -1 : words.findIndex((word, at) => at > git && discarding.test(word));
  if (git >= 0) return verb < 0 ? undefined : takenByGit(words[verb] ?? "", words.slice(verb + 1));
  const at = words.includes("-delete") ? names.indexOf("find") : names.findIndex(name => taking.test(name));
  if (at < 0) return undefined;
  const named = pathsIn(words.slice(at + 1));
  return names[at] === "mv" ? named.slice(0, -1) : named;
}

function takenByGit(verb: string, rest: readonly string[]): readonly string[] | undefined {
  const named = pathsIn(rest);
  if (verb === "stash") return harmlessStash.test(rest[0] ?? "") ? undefined : ["."];
  if (verb === "clean") return named.length > 0 ? named : ["."];
  if (verb !== "rm" && verb !== "mv" && rest.some(word => sweeping.test(word))) return ["."];
  if (verb === "reset" || verb === "switch") return undefined;
  return verb === "mv" ? named.slice(0, -1) : named;
}

const pathsIn = (words: readonly string[]) =>
  words.flatMap(word => (word.startsWith("-") ? [] : /[*?[]/.test(word) ? folderOf(word) || "." : word));
