/** What programs do by their names and words: for callEffects.ts. */
import { isProgram, programName } from "./programKinds";

export const removing =
  /^(?:rm|rmdir|unlink|shred|rimraf|trash|trash-put|srm|del|erase|truncate|tee|sponge|chmod|chown|chgrp|black|rustfmt|isort|ed|ex|dd|mv|move)$/;
export const copying = /^(?:cp|copy|rsync|scp|install|ln|ditto|robocopy|xcopy|mv|move)$/;
export const ownOfShell =
  /^(?:touch|mkdir|true|false|exit|export|set|unset|local|declare|read|wait|shift|return|:|\[\[|cd|pushd|popd)$/;
export const raising = /^(?:sudo|doas|su|pkexec|runas|run0)$/;
/** They do what their words say; so do those that are known, in all their words. */
export const withVerbs =
  /^(?:docker|podman|kubectl|gh|aws|gcloud|az|terraform|pulumi|systemctl|service|netlify|wrangler|supabase|heroku|fly|flyctl|vercel|firebase|helm|apt|apt-get|aptitude|brew|dnf|yum|apk|pacman|npm|pnpm|yarn|bun|pip|pip3|uv|pipx|gem|git|prisma)$/;
export const known =
  /^(?:tsc|eslint|prettier|stylelint|biome|ruff|mypy|flake8|pyright|shellcheck|kill|killall|pkill|shutdown|reboot|halt|poweroff|mount|umount|dropdb|createdb)$/;
/** Words of such programs that bring files, or code of the project. */
export const bringing =
  /^(?:cp|sync|mv|download|clone|run|exec|apply|--init|extension|alias|plugin|ssh|-e|--editable|\.{0,2}\/.*|\.)$/;
export const dry = /^--(?:dry-?run|help|version|check|whatif)\b/i;
/** In code: it may write, remove or start something. */
export const writing =
  /write|unlink|remove|delet|\brm|rmtree|rmdir|renam|\bmove|trunc|copy|system|exec|spawn|popen|subprocess|shutil|['"][awx]b?\+?['"]|output|save|dump|touch|mkdir|chmod/i;
/** They only say what kind of thing a verb is about. */
const nouns =
  /^(?:image|container|volume|network|system|builder|compose|pod|pods|deployment|deployments|svc|service|services|job|jobs|namespace|secret|secrets|configmap|node|nodes|pr|release|repo|issue|workflow|s3|s3api|ec2|iam|storage|compute|instances|vm|group|app|apps|db|database|migrate|stack|user|role)$/;
/** Options that say where, with a value. */
const valued =
  /^(?:-n|-H|-R|-C|-f|--namespace|--context|--profile|--project|--region|--repo|--host|--prefix|--filter|--dir|--config|--cluster|--kubeconfig|--file|--workspace|--cwd|--registry)$/;
const sameNames: Readonly<Record<string, string>> = {
  ...{ pnpm: "npm", yarn: "npm", bun: "npm", pip3: "pip", uv: "pip", pipx: "pip", podman: "docker", "apt-get": "apt" },
  ...{ mvnw: "mvn", gradlew: "gradle", "docker-compose": "docker" },
  ...{ pkill: "kill", killall: "kill", halt: "shutdown", poweroff: "shutdown", reboot: "shutdown", yum: "dnf" },
};
const sameVerb = (verb: string) =>
  verb
    .replace(/^(?:i|in|add|ci|ins\w*|isnt\w*)$/, "install")
    .replace(/^pub\w*$/, "publish")
    .replace(/^(?:down|rmi)$/, "rm");
/** Their words are all goals. */
const withGoals = /^(?:mvnw?|gradlew?|rake|mix)$/;
/** The verbs of a manager of packages; of others than npm another word is a program. */
export const managing =
  /^(?:i|in\w*|add|ci|un\w*|rm|remove|up\w*|publish|pack|ls|list|why|outdated|audit|view|config|version|pkg|link|login|cache|store)$/;
export const databases = /^(?:psql|mysql|mariadb|sqlite3|duckdb|mongosh?|redis-cli|sqlcmd|clickhouse-client)$/;

export function operands(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  return words.filter((word, at) => word !== "" && ((end >= 0 && at > end) || !word.startsWith("-")));
}
export function optionValue(words: readonly string[], option: RegExp): string | undefined {
  const at = words.findIndex(word => option.test(word));
  return at < 0 ? undefined : (/=(.*)/s.exec(words[at] ?? "")?.[1] ?? words[at + 1]);
}
export const isOpen = (word: string) => /[$`]|^~[^/]/.test(word);

/** No options, of packages no versions, and one name for programs that do the same. */
export function actOf([first = "", ...rest]: readonly string[]): string[] {
  const name = programName(first);
  if (name === "git") return gitDoing([first, ...rest]).act ?? [];
  const hasVerbs = !withGoals.test(name) && (isProgram("verbs", name) || withVerbs.test(name));
  let at = 0;
  while (hasVerbs && rest[at]?.startsWith("-")) at += valued.test(rest[at] ?? "") ? 2 : 1;
  const given = operands(rest.slice(at)).filter(word => !/^(?:uv pip|yarn npm)$/.test(`${name} ${word}`));
  const isVerb = (word: string) => !nouns.test(word);
  const end = hasVerbs ? given.findIndex((word, index) => isVerb(word) && given.slice(0, index).some(isVerb)) : 0;
  const isAbout = /^(?:docker|docker-compose|podman|kubectl)$/.test(name);
  const verbs = given.splice(0, end < 0 ? given.length : end).filter(word => !isAbout || isVerb(word));
  if (name === "gh" && verbs[0] === "api")
    return rest.some(word => sending.test(word)) ? ["gh:api"] : ["gh:get", ...given];
  const plain = (word: string) =>
    (name === "kubectl" ? word.replace(/^\w+\//, "") : word)
      .replace(/([\w-])(?:@|==|>=|~=)[\w.^~*-]+$/, "$1")
      .replace(/^\.\/|\/$/g, "");
  return [[sameNames[name] ?? name, ...verbs.map(sameVerb)].join(":"), ...given.map(plain)];
}
const sending = /^(?:-X(?!GET)\w+|POST|PUT|PATCH|DELETE|-[fF]|--(?:raw-)?field|--input|graphql)$/;

const emptying =
  /\b(?:drop\s{1,9}(?:database|table|schema|view|index|column|user)|truncate(?:\s{1,9}table)?|delete\s{1,9}from|flush(?:all|db)|dropDatabase)\b(?:\s{1,9}if\s{1,9}exists)?(?:\s{1,9}["'`]?([\w.]{1,99}))?/gi;
/** What a text would take out of a database, whichever program or tool is given it. */
export const emptiedBy = (text: string): string[][] =>
  [...text.matchAll(emptying)].map(([, name]) => ["sql", ...(name ? [name] : [])]);

const manifests: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
  ...{ cargo: ["Cargo.toml", "Cargo.lock"], go: ["go.mod", "go.sum"], composer: ["composer.json", "composer.lock"] },
  ...{ poetry: ["pyproject.toml", "poetry.lock"], uv: ["pyproject.toml", "uv.lock"] },
  bundle: ["Gemfile", "Gemfile.lock"],
};
/** The lists of packages that a manager of them rewrites. */
export function manifestsOf([first = "", ...rest]: readonly string[]): readonly string[] {
  const name = programName(first);
  const rewrites = rest.some(word =>
    /^(?:i|in\w*|add|un\w*|rm|remove|up\w*|version|pkg|require|get|tidy|sync|lock)$/.test(word),
  );
  return rewrites ? (manifests[name] ?? manifests[sameNames[name] ?? ""] ?? []) : [];
}

/** @param isPlace without an address around it the word may be a machine: `ssh web-1` */
export function hostIn(word: string, isPlace: boolean): string | undefined {
  const address = /(?:[a-z][\w+.-]{1,20}:\/\/(?:[^\s/@'"]{1,200}@)?|^[\w.-]{1,60}@)([\w.-]+)/i.exec(word);
  const found = address ?? (isPlace ? /^([a-z][\w.-]*)(?::(?!\/\/).*|\/.*)?$/i.exec(word) : undefined);
  const host = found?.[1]?.toLowerCase().replace(/^www\.|\.$/g, "");
  return /^(?:127\.0\.0\.1|0\.0\.0\.0)$/.test(host ?? "") ? "localhost" : host;
}

interface GitDoing {
  /** the folder of `-C` */
  folder: string;
  /** the deed and the words that matter: `git:push`, `main` */
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
  if (verb === "clean") return { ...base, act: ["git:clean"], changes: given.length > 0 ? given.map(pathOf) : ["."] };
  if (/^(?:rm|mv)$/.test(verb) && !has(/^--cached/)) return { ...base, changes: given.map(pathOf) };
  if (/^(?:push|send-pack)$/.test(verb)) return { ...base, act: ["git:push", ...given.slice(1).map(branchOf)] };
  const discards = {
    restore: !has(/^(?:--staged|-S)$/) || has(/^(?:--worktree|-W)$/),
    reset: has(/^--(?:hard|merge|keep)$/),
    checkout: rest.includes("--") || given.includes(".") || has(/^(?:-[a-z]*f|--force)$/),
    switch: has(/^(?:-[a-z]*f|--force|--discard-changes)$/),
    stash: !/^(?:list|show|pop|apply|drop|clear|branch|create)$/.test(first),
  }[verb];
  if (discards) {
    const paths = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : given;
    const isForced = verb === "checkout" && !rest.includes("--") && has(/^(?:-[a-z]*f|--force)$/);
    const isPaths = /^(?:restore|checkout)$/.test(verb) && paths.length > 0 && !paths.map(pathOf).includes(".");
    const isWhole = isForced || !isPaths;
    return isWhole ? { ...base, changes: ["/"], act: ["git:discard"] } : { ...base, changes: paths };
  }
  const isNew = has(/^-[bBcC]$/) || /^(?:list|show)$/.test(first);
  const changesOthers = (moving.test(verb) && !isNew) || base.starts.length > 0;
  const words = verb === "stash" ? [first.replace("clear", "drop")] : wordless.test(verb) ? [] : given;
  if (verb === "pull") return { ...base, act: ["git:merge", ...words.slice(1).map(branchOf)], changesOthers };
  const act = [`git:${verb.replace("switch", "checkout")}`, ...(verb === "merge" ? words.map(branchOf) : words)];
  return { ...base, act, changes: verb === "checkout" && !isNew ? given : [], changesOthers };
}

/** A pattern of Git finds files at any depth. */
const pathOf = (path: string) => (/[*?[]|^:/.test(path) ? "." : path);

/** Where a refspec leads: `+HEAD:refs/heads/main` is main. */
const branchOf = (ref: string) =>
  ref
    .replace(/^\+/, "")
    .replace(/^.*:/s, "")
    .replace(/^refs\/(?:heads|tags)\/|^(?:origin|upstream)\//, "");
