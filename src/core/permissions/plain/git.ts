/** Git's commands that read, with the options that leave it at that. What a repository's own settings start is not looked at. */
import { type OptionTable, optionTable, type ReadWords, readOptions } from "./getopt";
import { rowsOf } from "./programKinds";
import table from "./programs.json";
import { named, type PlainFile, type Reading, unknownOption, unknownWords } from "./reading";

type Shows = "tree" | "content" | "names";
interface GitCommand {
  /** `patch`: content where an option asks for it */
  shows: Shows | "patch";
  table: OptionTable;
  /** each letter is a word of its own */
  single: boolean;
}

/** `<NAME>` is the part of that name. */
const whole = (row: string): string =>
  row.replace(/<([A-Z]+)>/g, (_, name: keyof typeof table.gitParts) => whole(table.gitParts[name]));
const commands = new Map(rowsOf(table.git));

function commandOf(row: string): GitCommand {
  const [shows = "", ...options] = whole(row).split(" ");
  const single = options.includes("--patch") || options.includes("--max-count:");
  return { shows: shows as GitCommand["shows"], table: optionTable(options.join(" ")), single };
}

const patchOptions = optionTable(table.gitParts.PATCH);

/** Others may hold a password: a header, a proxy, a helper's words. */
const plainSettings =
  /^(?:user\.(?:name|email)|(?:core|init|pull|push|fetch|merge|rebase|branch|commit|color|status|log|diff)\.[\w.-]+)$/i;

const listing = ["list", "contains", "no-contains", "merged", "no-merged", "points-at"];
/** Words make these write: a new branch, a new tag, another address. */
function maySet(name: string, { given, words }: ReadWords): boolean {
  if (/^(?:branch|tag)$/.test(name)) {
    const isList = listing.some(option => given.has(option)) || (name === "tag" && given.has("l"));
    return words.length > 0 && !isList;
  }
  if (name === "config") return words.length !== 1 || !plainSettings.test(words[0] as string);
  return /^(?:remote|reflog)$/.test(name) && words.length > 0;
}

/** A format may be a name of the repository's settings, and ask for signatures, which starts another program. */
const mayStart = ({ given }: ReadWords): boolean =>
  ["format", "pretty"]
    .flatMap(name => given.get(name) ?? [])
    .some(
      format =>
        !/^(?:|oneline|short|medium|full|fuller|reference|email|raw|t?format:.*|(?=[^%]*%).*)$/.test(format) ||
        /%[-+ ]?G|signature|describe/.test(format),
    );

export function readGit(all: readonly string[]): Reading {
  const start = all.findIndex(word => !/^(?:--no-pager|-P|--no-optional-locks)$/.test(word));
  const folder = all[start] === "-C" ? all[start + 1] : undefined;
  const words = all.slice(Math.max(start, 0) + (folder === undefined ? 0 : 2));
  const two = words.slice(0, 2).join(" ");
  const name = commands.has(two) ? two : (words[0] ?? "");
  const row = commands.get(name);
  if (row === undefined || folder?.startsWith("-")) return unknownWords("git");
  const command = commandOf(row);
  const read = readOptions(words.slice(name === two ? 2 : 1), command.table, command.single);
  if ("unknown" in read) return unknownOption(`git ${name}`, read.unknown);
  const isUnclear = read.words.some(word => word.split(":").length > 4);
  if (isUnclear || maySet(name, read) || mayStart(read)) return unknownWords(`git ${name}`);
  const files = [...named(read.files, "content"), ...filesOfShow(name, command, read)];
  if (folder === undefined) return { git: true, files };
  const within = files.map(file =>
    file.fromTopOf !== undefined
      ? { ...file, fromTopOf: folder }
      : { ...file, path: file.path.startsWith("/") ? file.path : `${folder}/${file.path}` },
  );
  return { git: true, gitFolder: folder, files: [...named([folder], "names"), ...within] };
}

/**
 * Its revisions cannot be told from paths, so all that may be paths are files: of `HEAD:.env` also `.env`, here and from the
 * top. Only paths behind `--` keep it from showing the rest, which is all of the repository.
 */
function filesOfShow(name: string, command: GitCommand, { given, words, behind }: ReadWords): PlainFile[] {
  const isPatch = [...given.keys()].some(option => patchOptions.short.has(option) || patchOptions.long.has(option));
  const mayBeNames =
    command.shows === "patch" || (/diff$|^stash/.test(name) && onlyNames.some(each => given.has(each)));
  const shows: Shows = mayBeNames ? (isPatch ? "tree" : "names") : (command.shows as Shows);
  const isPattern = name === "grep" && !given.has("e") && !given.has("f");
  const texts = isPattern ? words.slice(1) : words;
  const inner = texts.flatMap(suffixes);
  const isWhole = shows === "tree" && (behind.length === 0 || behind.some(path => /[*?[\\]|^:/.test(path)));
  const fromTop = [...(isWhole && name !== "grep" ? ["."] : []), ...inner.filter(path => !/^\.\.?(?:\/|$)/.test(path))];
  // Without a revision these are files as they are.
  const isPresent = name === "grep" && !given.has("cached") && texts.length === behind.length;
  const files = [
    ...named([...(isWhole ? ["."] : []), ...texts, ...inner], shows),
    ...named(fromTop, shows).map(file => ({ ...file, fromTopOf: "." })),
  ];
  return shows === "tree" && !isPresent ? files.map(file => ({ ...file, past: true as const })) : files;
}

const onlyNames = ["stat", "shortstat", "numstat", "name-only", "name-status", "summary", "compact-summary", "raw"];

/** The text behind each colon, without the marks that a path may begin with there: `:(top).env`, `:!.env`. */
const suffixes = (word: string): string[] =>
  [...word.matchAll(/:/g)].map(({ index }) => word.slice(index + 1).replace(/^(?:\([^)]*\)|[!^/]+)/, "") || ".");
