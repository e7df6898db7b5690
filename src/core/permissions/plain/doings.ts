/** What Git's commands do to files and elsewhere, and which lines a target of a Makefile or a justfile runs. */

interface GitDoing {
  /** the folder of `-C` */
  folder: string;
  /** what is done and the words that matter: `git push`, `main` */
  act?: string[];
  /** as written, with all in them; `/`: all of the repository */
  changes: readonly string[];
  /** It changes files that its words do not name. */
  changesOthers?: boolean;
  /** the words of a program that it starts */
  starts: readonly string[];
}

const moving =
  /^(?:checkout|switch|pull|merge|rebase|cherry-pick|revert|apply|am|bisect|submodule|sparse-checkout|read-tree|filter-branch|filter-repo|worktree|subtree|stash)$/;
/** What they are about is said by options and messages. */
const wordless = /^(?:add|commit|stash|gc|notes|init|fetch)$/;

export function gitDoing([, ...all]: readonly string[]): GitDoing {
  let at = 0;
  while (all[at]?.startsWith("-")) at += /^(?:-[Cc]|--git-dir|--work-tree|--namespace)$/.test(all[at] ?? "") ? 2 : 1;
  const [verb = "", ...rest] = all.slice(at);
  const before = all.slice(0, at);
  const has = (option: RegExp) => rest.some(word => option.test(word));
  const given = rest.filter(word => !word.startsWith("-"));
  const [first = ""] = given;
  const alias = before.flatMap(word => /^alias\.[^=]*=(.*)/s.exec(word)?.[1]?.replace(/^(?!!)/, "git ") ?? []);
  const run = rest.findIndex(word => /^(?:--exec|-x|run|foreach)$/.test(word));
  const base: GitDoing = {
    folder: before[before.indexOf("-C") + 1 || at] ?? ".",
    changes: [],
    starts: [...alias.flatMap(text => text.replace(/^!/, "").split(" ")), ...(run < 0 ? [] : rest.slice(run + 1))],
  };
  if (has(/^--(?:dry-run|help)/) || (/^(?:push|clean|add|rm|mv)$/.test(verb) && has(/^-[a-z]*n/))) return base;
  if (verb === "clean") return { ...base, act: ["git clean"], changes: given.length > 0 ? given : ["."] };
  if (/^(?:rm|mv)$/.test(verb) && !has(/^--cached/)) return { ...base, changes: given };
  if (/^(?:push|send-pack)$/.test(verb)) return { ...base, act: ["git push", ...given.slice(1).map(branchOf)] };
  const discards = {
    restore: !has(/^(?:--staged|-S)$/) || has(/^(?:--worktree|-W)$/),
    reset: has(/^--(?:hard|merge|keep)$/),
    checkout: rest.includes("--") || given.includes(".") || has(/^(?:-[a-z]*f|--force)$/),
    switch: has(/^(?:-[a-z]*f|--force|--discard-changes)$/),
    stash: !/^(?:list|show|pop|apply|drop|clear|branch|create)$/.test(first),
  }[verb];
  if (discards) {
    const paths = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : given;
    const isWhole = !/^(?:restore|checkout)$/.test(verb) || paths.every(path => /^(?:\.|:\/|\*)$/.test(path));
    return isWhole ? { ...base, changes: ["/"], act: ["git discard"] } : { ...base, changes: paths };
  }
  const isNew = has(/^-[bBcC]$/) || /^(?:list|show)$/.test(first);
  const changesOthers = (moving.test(verb) && !isNew) || base.starts.length > 0;
  const words = wordless.test(verb) ? (verb === "stash" ? [first] : []) : given;
  const changes = verb === "checkout" && !isNew ? given : [];
  return {
    ...base,
    changes,
    changesOthers,
    ...(verb && { act: [`git ${verb.replace("switch", "checkout")}`, ...words] }),
  };
}

/** Where a refspec leads: `+HEAD:refs/heads/main` is main. */
const branchOf = (ref: string) => ref.replace(/^\+|^[^:]*:/g, "").replace(/^refs\/(?:heads|tags)\//, "");

const MAX_RULES = 20;

/** With the lines of the targets that it needs. @param wanted "": the first one */
export function recipeOf(text: string, wanted: string): string {
  const rules = new Map<string, { needs: string; lines: string[] }>();
  for (const line of text.replace(/\\\n/g, " ").split("\n")) {
    const [, name = "", needs = ""] = /^([^#\s:=]+)[^:=]{0,200}:(?!=)(.*)$/.exec(line) ?? [];
    if (name !== "" && !name.startsWith(".")) rules.set(name, { needs, lines: [] });
    else if (/^[ \t]/.test(line)) [...rules.values()].at(-1)?.lines.push(line.trim().replace(/^[@+-]{1,3}/, ""));
  }
  const names = [wanted || ([...rules.keys()][0] ?? "")];
  for (const name of names)
    if (names.length < MAX_RULES) names.push(...(rules.get(name)?.needs.match(/[^\s;#]+/g) ?? []));
  const values = new Map(
    [...text.matchAll(/^(\w+)[ \t]{0,9}[:?]?=[ \t]{0,9}(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const lines = [...new Set(names)].flatMap(name => rules.get(name)?.lines ?? []).join("\n");
  return lines.replace(
    /\$[({](\w+)[)}]/g,
    (whole, name: string) => values.get(name) ?? (name === "MAKE" ? "make" : whole),
  );
}
