/** What Git's commands do to files and elsewhere, and which lines a task of a project runs: for callEffects.ts. */

/** What a command of Git does. */
interface GitDoing {
  /** the folder of `-C` */
  folder?: string | undefined;
  /** what it changes that is more than files: `git push`, and the words that matter */
  act?: string[];
  /** files and folders as written, with all in them; `/`: any of the repository */
  changes: readonly string[];
  /** the words of a program that it starts */
  starts: readonly string[];
  /** It changes files that its words do not name. */
  mayDoMore?: boolean;
}

/** Of these other files come into the working tree. */
const moves =
  /^(?:switch|pull|merge|rebase|cherry-pick|revert|apply|am|bisect|submodule|sparse-checkout|read-tree|filter-branch|filter-repo|worktree|subtree)$/;
/** They change the index and commits of this machine: what they are about is said by their options and messages. */
const local = /^(?:add|commit|stash|gc|notes|mv|rm|init|fetch)$/;

export function gitDoing([, ...all]: readonly string[]): GitDoing {
  let at = 0;
  let folder: string | undefined;
  for (; all[at]?.startsWith("-"); at++) {
    if (all[at] === "-C") folder = all[at + 1];
    if (/^(?:-[Cc]|--git-dir|--work-tree|--namespace)$/.test(all[at] ?? "")) at += 1;
  }
  const [verb = "", ...rest] = all.slice(at);
  const has = (...options: string[]) =>
    rest.some(word =>
      options.some(option =>
        /^-\w$/.test(option) ? new RegExp(`^-\\w*${option[1]}`).test(word) : word.startsWith(option),
      ),
    );
  const given = rest.filter(word => !word.startsWith("-"));
  const behind = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : [];
  const own = all
    .slice(0, at)
    .filter(word => /^alias\.[^=]*=/.test(word))
    .map(word => word.replace(/^[^=]*=!?/, ""))
    .join(" ");
  const run = rest.findIndex(word => /^(?:--exec|-x|run|foreach)$/.test(word));
  const starts = [
    ...own.split(" ").filter(Boolean),
    ...(run < 0 ? [] : rest.slice(run + 1)),
    ...rest.flatMap(word => /^--exec=(.*)/s.exec(word)?.[1] ?? []),
  ];
  const base = { ...(folder !== undefined && { folder }), starts, changes: [] as string[] };
  const wide = (paths: readonly string[]) => ({
    ...base,
    changes: paths.length === 0 || paths.some(path => /^(?:\.|:\/|\*)$/.test(path)) ? ["/"] : paths,
    ...(paths.every(path => /^(?:\.|:\/|\*)$/.test(path)) && { act: ["git discard"] }),
  });
  if (verb === "" || has("--dry-run", "--help") || (/^(?:push|clean|add|rm|mv)$/.test(verb) && has("-n"))) return base;
  if (verb === "clean") return { ...base, act: ["git clean"], changes: given.length > 0 ? given : ["."] };
  if (verb === "restore") return has("--staged", "-S") && !has("--worktree", "-W") ? base : wide(given);
  if (verb === "reset")
    return has("--hard", "--merge", "--keep") ? wide([]) : { ...base, act: ["git reset", ...given] };
  if (verb === "checkout-index") return wide(has("-a", "--all") ? [] : given);
  if (verb === "stash")
    return /^(?:list|show|create)$/.test(given[0] ?? "")
      ? base
      : /^(?:pop|apply|branch)$/.test(given[0] ?? "")
        ? { ...base, act: ["git stash"], mayDoMore: true }
        : /^(?:drop|clear)$/.test(given[0] ?? "")
          ? { ...base, act: ["git stash drop"] }
          : wide([]);
  if (verb === "checkout") {
    if (behind.length > 0 || given.includes(".")) return wide(behind.length > 0 ? behind : given);
    if (has("-f", "--force")) return wide([]);
    return {
      ...base,
      act: ["git checkout", ...given],
      changes: has("-b", "-B") ? [] : given,
      mayDoMore: !has("-b", "-B"),
    };
  }
  if (verb === "switch" && has("-f", "--force", "--discard")) return wide([]);
  if (/^(?:rm|mv)$/.test(verb))
    return { ...base, changes: has("--cached") ? [] : given, act: [`git ${verb}`, ...given] };
  if (verb === "push" || verb === "send-pack") return { ...base, act: ["git push", ...refsOf(given)] };
  const mayDoMore = moves.test(verb) || starts.length > 0;
  return { ...base, act: [`git ${verb}`, ...(local.test(verb) ? [] : given)], ...(mayDoMore && { mayDoMore }) };
}

/** The branches there, or the remote where none is named. */
function refsOf(given: readonly string[]): string[] {
  const [remote, ...refs] = given;
  if (refs.length === 0) return remote === undefined ? [] : [];
  return refs.map(
    ref =>
      ref
        .replace(/^\+/, "")
        .replace(/^.*:/s, "")
        .replace(/^refs\/(?:heads|tags)\//, "") || ref,
  );
}

const MAX_RULES = 20;

/** The lines of a target of a Makefile or a justfile, with those of the targets that it needs. @param wanted "": the first one */
export function recipeOf(text: string, wanted: string): string {
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  const values = new Map(
    [...text.matchAll(/^(\w+)[ \t]{0,9}[:?]?=[ \t]{0,9}(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  let last: { needs: string[]; lines: string[] } | undefined;
  for (const line of text.replace(/\\\n/g, " ").split("\n")) {
    if (/^[ \t]/.test(line)) last?.lines.push(line.trim().replace(/^[@+-]{1,3}/, ""));
    else if (/^[^#\s:=][^:=]*:(?!=)/.test(line)) {
      const [names = "", needs = ""] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)];
      last = {
        needs: needs
          .replace(/[#;].*/, "")
          .split(/\s+/)
          .filter(Boolean),
        lines: /;(.*)/.exec(needs)?.slice(1) ?? [],
      };
      for (const name of names
        .split(/\s+/)
        .filter(each => each !== "" && !each.startsWith("."))
        .slice(0, 1))
        rules.set(name, last);
    } else if (line.trim() !== "") last = undefined;
  }
  const found: string[] = [];
  const queue = [wanted || ([...rules.keys()][0] ?? "")];
  const seen = new Set<string>();
  for (const name of queue) {
    if (seen.has(name) || seen.size >= MAX_RULES) continue;
    seen.add(name);
    queue.push(...(rules.get(name)?.needs ?? []));
    found.push(...(rules.get(name)?.lines ?? []));
  }
  return found
    .join("\n")
    .replace(/\$[({](\w+)[)}]/g, (whole, name: string) => values.get(name) ?? (name === "MAKE" ? "make" : whole))
    .replace(/\$\$/g, "$");
}
