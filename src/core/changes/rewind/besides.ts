/** What commands did beside files over a stretch of a session: what of it a rewind leaves, in words. Pure. */

import type { GitState } from "../../../shared/fileStates";
import { inSentences, listed } from "../../../shared/format";
import { plural, t } from "../../../shared/l10n";
import type { RecordOf } from "../../../shared/records";
import { shellQuoted } from "../../../shared/shellQuoted";

type CommandFiles = Pick<RecordOf<"commandFiles">, "folders" | "gone" | "repositories">;

export interface SideEffects {
  /** URIs of folders that commands made */
  folders: string[];
  /** ignored files and folders that went */
  gone: { uri: string; path: string }[];
  /** repositories in which more than files changed, over all of the stretch */
  repositories: { path: string; before: GitState; after: GitState }[];
}

/** @param records in their order */
export function besidesOf(records: readonly CommandFiles[]): SideEffects {
  const gone = new Map(records.flatMap(record => (record.gone ?? []).map(each => [each.uri, each] as const)));
  const repositories = new Map<string, SideEffects["repositories"][number]>();
  for (const { path, before, after } of records.flatMap(record => record.repositories ?? []))
    repositories.set(path, { path, before: repositories.get(path)?.before ?? before, after });
  return {
    folders: [...new Set(records.flatMap(record => record.folders ?? []))],
    gone: [...gone.values()],
    repositories: [...repositories.values()],
  };
}

const MAX_NAMED = 10;

/** @param gone those that are not there again */
export function goneWords(gone: SideEffects["gone"]): string[] {
  if (gone.length === 0) return [];
  const names = listed(
    gone.map(({ path }) => path),
    MAX_NAMED,
  );
  return [
    plural(
      gone.length,
      "{1} was deleted while a command ran and stays away: of ignored files nobody has a copy.",
      "{1} were deleted while commands ran and stay away: of ignored files nobody has a copy.",
      names,
    ),
  ];
}

/** A rewind of files changes no commit, no branch and no stash: what a person may do is said. */
export function repositoryWords({ path, before, after }: SideEffects["repositories"][number]): string[] {
  const place = path === "." ? undefined : path.replace(/:\.$/, "");
  const { unfinished } = after;
  return [
    ...(before.commit === after.commit && before.branch === after.branch ? [] : [headWords(place, before, after)]),
    ...stashWords(place, before, after),
    ...(unfinished === undefined || unfinished === before.unfinished
      ? []
      : [
          place === undefined
            ? t(
                "The {0} that a command began stays unfinished. `git {0} --quit` ends it and leaves the files.",
                unfinished,
              )
            : t(
                "The {0} that a command began in {1} stays unfinished. `git {0} --quit` ends it and leaves the files.",
                unfinished,
                place,
              ),
        ]),
  ];
}

function headWords(place: string | undefined, before: GitState, after: GitState): string {
  const back = wayBack(before, after);
  const words = [
    t(
      "{0} stays at {1}, where it went from {2} while commands ran: a rewind changes no commit and no branch.",
      ...[place === undefined ? "HEAD" : t("HEAD of {0}", place), placeWords(after), placeWords(before)],
    ),
    ...(back === undefined ? [] : [t("To move it back, with the files left as they then are: `{0}`.", back)]),
    ...(after.commit === undefined ? [] : [t("`git reflog` keeps {0}.", short(after.commit))]),
  ];
  return inSentences(words);
}

const short = (commit: string) => commit.slice(0, 10);

function placeWords({ branch, commit }: GitState): string {
  const at = commit === undefined ? t("no commit yet") : short(commit);
  return branch === undefined ? at : `${at} (${branch})`;
}

/** Branches that were gone to since stay where they are: none of these commands loses a commit. */
function wayBack(before: GitState, after: GitState): string | undefined {
  if (before.commit === undefined) return undefined;
  const to = short(before.commit);
  if (before.branch === undefined) return `git update-ref --no-deref HEAD ${to} && git reset`;
  if (before.branch === after.branch) return `git reset ${to}`;
  return `git symbolic-ref HEAD ${quoted(`refs/heads/${before.branch}`)} && git reset ${to}`;
}

const quoted = (name: string) => (/^[\w./@+-]+$/.test(name) ? name : shellQuoted(name));

function stashWords(place: string | undefined, before: GitState, after: GitState): string[] {
  if (before.stash === after.stash) return [];
  if (after.stashes > before.stashes)
    return [
      place === undefined
        ? t("What a command stashed stays in the stash: `git stash list` has it.")
        : t("What a command stashed in {0} stays in the stash: `git stash list` has it.", place),
    ];
  if (before.stash === undefined) return [];
  const back = t("`git stash store {0}` puts it back.", before.stash);
  return [
    place === undefined
      ? t("A stash was taken from the list while a command ran. {0}", back)
      : t("A stash was taken from the list of {0} while a command ran. {1}", place, back),
  ];
}
