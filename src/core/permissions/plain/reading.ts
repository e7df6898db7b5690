/** What a program reads, as far as that is certain. */
import { t } from "../../../shared/l10n";

export interface PlainFile {
  /** as written */
  path: string;
  /** `tree`: the content of all files below it, or its own; `names`: no content */
  shows: "content" | "tree" | "names";
  /** A folder: the path is seen from the top of the Git repository that this is in. */
  fromTopOf?: string;
  /** what was in it before is shown, too */
  past?: true;
  /** links below it are followed, wherever they lead */
  followsLinks?: true;
  /** files and folders that begin with a dot are passed over, unless an ignore file of the tree takes them back (`!.env`) */
  skipsHidden?: true;
  /** only files whose names end so */
  endings?: readonly string[];
}

export interface Reads {
  files: PlainFile[];
  git?: true;
  /** in which it starts Git beside where it runs itself: of `git -C` */
  gitFolder?: string;
}

/** `unknown`: the option, or the words, of a program that only reads without */
export type Reading = Reads | { why: string; unknown?: string };

export const unknownOption = (program: string, option: string) => ({
  why: t("gives `{0}` `{1}`, which is not known to only read", program, option),
  unknown: option.replace(/=.*/s, ""),
});

export const unknownWords = (program: string) => ({
  why: t("gives `{0}` words that may do more than read", program),
  unknown: `${program}'s words`,
});

export const named = (paths: readonly string[], shows: PlainFile["shows"]): PlainFile[] =>
  paths.filter(path => path !== "-").map(path => ({ path, shows }));
