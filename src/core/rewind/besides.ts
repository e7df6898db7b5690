/** What commands did beside files over a stretch of a session: what of it a rewind leaves, in words. Pure. */
import type { GitState } from "../../shared/fileStates";
import type { RecordOf } from "../../shared/records";
import { shellQuoted } from "../../shared/shellQuoted";

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
  const names = gone.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = gone.length > names.length ? ` and ${gone.length - names.length} more` : "";
  const one =
    gone.length === 1
      ? "was deleted while a command ran and stays away"
      : "were deleted while commands ran and stay away";
  return [`${names.join(", ")}${more} ${one}: of ignored files nobody has a copy.`];
}

/** A rewind of files changes no commit, no branch and no stash: what a person may do is said. */
export function repositoryWords({ path, before, after }: SideEffects["repositories"][number]): string[] {
  const where = path === "." ? "" : ` of ${path.replace(/:\.$/, "")}`;
  return [
    ...(before.commit === after.commit && before.branch === after.branch ? [] : [headWords(where, before, after)]),
    ...stashWords(where, before, after),
    ...(after.unfinished === undefined || after.unfinished === before.unfinished
      ? []
      : [
          `The ${after.unfinished}${where} that a command began stays unfinished. \`git ${after.unfinished} --quit\` ends it and leaves the files.`,
        ]),
  ];
}

function headWords(where: string, before: GitState, after: GitState): string {
  const back = wayBack(before, after);
  const how = back === undefined ? "" : ` To move it back, with the files left as they then are: \`${back}\`.`;
  const kept = after.commit === undefined ? "" : ` \`git reflog\` keeps ${short(after.commit)}.`;
  return `HEAD${where} stays at ${placeWords(after)}, where it went from ${placeWords(before)} while commands ran: a rewind changes no commit and no branch.${how}${kept}`;
}

const short = (commit: string) => commit.slice(0, 10);

function placeWords({ branch, commit }: GitState): string {
  const at = commit === undefined ? "no commit yet" : short(commit);
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

function stashWords(where: string, before: GitState, after: GitState): string[] {
  if (before.stash === after.stash) return [];
  const inRepository = where.replace(/^ of /, " in ");
  if (after.stashes > before.stashes)
    return [`What a command stashed${inRepository} stays in the stash: \`git stash list\` has it.`];
  if (before.stash === undefined) return [];
  return [
    `A stash${inRepository} was taken from the list while a command ran. \`git stash store ${before.stash}\` puts it back.`,
  ];
}
