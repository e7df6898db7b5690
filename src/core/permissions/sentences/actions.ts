/** What people forbid or want to be asked about, as rules: pushing, committing, installing, files, commands. Texts have at most 400 characters. */
import { isKnown } from "../plain/programKinds";

interface Found {
  /** with a question mark in front one that asks at most: it may be what is meant */
  rules: string[];
  /** what is said behind it */
  rest: string;
}

const JOIN = "(?:\\s*,\\s*(?:(?:or|and|nor)\\s+)?|\\s+(?:or|and|nor)\\s+|\\s*(?:、|或者|或|和|与|及|/)\\s*)";
const list = (one: string) => `(?<list>${one}(?:${JOIN}(?:the\\s+)?${one})*)`;
const EXTENSIONS =
  "tsx?|jsx?|[mc]js|jsonc?|mdx?|ya?ml|toml|lockb?|py|go|rs|java|kt|swift|rb|php|cs|c|h|cpp|hpp|s?css|html|sql|sh|txt|xml|csv|proto|graphql|gql|ini|cfg|conf|svg|png|snap|gradle|sum|mod|tf|vue|svelte|xlf|resx|plist|pbxproj";
const CODE = "`[^`]{1,200}`";
const PATH = `(?:${CODE}|(?:[\\w.@-]+/)*(?:[\\w-]+\\.)+(?:${EXTENSIONS})(?![\\w/])|(?:[\\w.@-]+/)+(?=[\\s,;:)!.]|$)|\\.env[\\w.*-]*)`;
const BRANCH = `(?:${CODE}|(?:origin/)?(?:main|master|develop|dev|trunk|production|prod|staging|release|gh-pages)(?![\\w/-]))`;
const PROGRAM = `(?:${CODE}|(?:npm|yarn|pnpm|bun|npx|pip3?|poetry|conda|sudo|curl|wget|docker|brew)(?![\\w-])|rm -rf?(?!\\w))`;
const OF =
  "(?:(?:any|the|all|of|anything|files?|code|contents?|generated|auto-?generated|vendored|third-party|folder|directory|in|inside|under|within|from)\\s+)*";
const EDIT =
  "(?:edit|modify|modifying|chang(?:e|ing)|touch|alter|updat(?:e|ing)|overwrit(?:e|ing)|write to|writing to)(?:ing)?";
const DELETE = "(?:delet(?:e|ing)|remov(?:e|ing))";
const TO =
  "(?:\\s+(?:directly|straight|any|changes|commits|code|anything|your|work))*\\s+(?:to|into|onto)\\s+(?:the\\s+)?";

const start = (source: string) => new RegExp(`^\\s*(?:(?:directly|manually|ever|automatically)\\s+)*${source}`, "iu");

/** In front of a rule that asks at most: it may be what is meant. */
const PERHAPS = "?";
const FORCE = ["git push -f *", "git push --force-with-lease *", "git push * --force-with-lease *", "git push * +*"];
/** Programs that install, each as it is asked to add something. */
const INSTALLERS: readonly [of: RegExp, commands: string][] = [
  [/npm|node/, "npm install,npm i,pnpm add,pnpm install,yarn add,bun add"],
  [/pip|python/, "pip install,pip3 install,uv add,poetry add"],
  [/^$/, "cargo add,go get,gem install,brew install"],
];

const FOLDER = "(?<folder>\\s+(?:folders?|director(?:y|ies)))?(?:\\s+files?)?";
const ANY = "(?:\\s+(?:any|your|the|code|changes|commits|anything))*";
/** Nothing is said of what or where. */
const ALL = "(?=\\s*(?:$|[.!(/]|or|and|,\\s*(?:or\\s+)?push|,? without|,? unless|only))";
const ADD =
  "(?:install|add|introduc(?:e|ing))(?:ing)?\\s+(?:(?:any|new|additional|external|third-party|extra|(?<of>npm|python|pip|node))\\s+)*(?:packages?|dependenc(?:y|ies)|librar(?:y|ies)|deps)(?![\\w-])";

/** A kind of action: how it is said, and the rules for each name in it; none: these words say something else. */
const kinds: readonly [said: RegExp, rulesOf: (name: string, said: Said) => string[] | undefined][] = [
  [start(`(?:git[\\s-])?force[\\s-]?push(?:ing)?${TO}${list(BRANCH)}`), name => branchOf(name, forcedTo)],
  [start("(?:git[\\s-])?force[\\s-]?push(?:ing)?(?![\\w-])"), () => FORCE],
  [start(`(?:git\\s)?push(?:ing)?${TO}${list(BRANCH)}(?:\\s+branch(?:es)?)?`), name => branchOf(name, pushedTo)],
  [start(`(?:git\\s)?push(?:ing)?${ANY}(?:\\s+to\\s+(?:the\\s+)?(?:remotes?|github))?${ALL}`), () => ["git push *"]],
  [start(`(?:git\\s)?commit(?:ting)?${ANY}${ALL}`), () => ["git commit *"]],
  [start(ADD), (_, said) => added(said.of)],
  [start(`${DELETE}\\s+${OF}${list(PATH)}${FOLDER}`), (name, said) => deleted(pathOf(name, said))],
  [
    start(`(?:hand-?)?${EDIT}(?:${JOIN}(?:${EDIT}|${DELETE}))*\\s+${OF}${list(PATH)}${FOLDER}`),
    (...at) => onPath("Edit", pathOf(...at)),
  ],
  [
    start(`(?:read|open|access|view|cat)(?:ing)?\\s+${OF}${list(PATH)}${FOLDER}`),
    (...at) => onPath("Read", pathOf(...at)),
  ],
  [start(`(?:run|runn|execut|us|call)(?:e|ing)?\\s+(?:the\\s+)?${list(PROGRAM)}(?:\\s+commands?)?`), commandRules],
  [start("access(?:ing)?\\s+the\\s+(?:internet|network|web)"), () => ["curl *", "wget *"]],
];
type Said = Readonly<Record<string, string | undefined>>;

/** What an action's first words amount to. Of a list all, or nothing: half of it is another sentence. */
export function actionRules(act: string): Found | undefined {
  for (const [form, rulesOf] of kinds) {
    const found = form.exec(act);
    if (!found) continue;
    const said = found.groups ?? {};
    const names = [...(said.list ?? "").matchAll(/`[^`]*`|rm -rf?|[^\s,、/][^\s,、]*/gu)].map(([name]) =>
      name.replaceAll("`", ""),
    );
    const each = (said.list === undefined ? [""] : names.filter(name => !JOINS.test(name))).map(name =>
      rulesOf(name, said),
    );
    if (each.includes(undefined)) continue;
    const rules = each
      .flatMap(some => some ?? [])
      .map(rule => (/^(?:Edit|Read)\(/.test(rule) ? rule : `Bash(${rule})`));
    return { rules: [...new Set(rules)], rest: act.slice(found[0].length) };
  }
  return undefined;
}
const JOINS = /^(?:or|and|nor|the|或者?|和|与|及)$/i;

function branchOf(written: string, rulesOf: (branch: string) => string[]): string[] | undefined {
  const branch = written.replace(/^origin\//, "");
  if (/^(?:origin|upstream)$/.test(branch)) return [`git push ${branch} *`];
  return /^[\w./-]+$/.test(branch) ? rulesOf(branch) : undefined;
}

/** A push without a name pushes the branch that one is on: it is asked about. */
const pushedTo = (branch: string) => [
  ...[`git push * ${branch} *`, `git push *:${branch} *`, `git push *:refs/heads/${branch} *`],
  ...[`${PERHAPS}git push`, `${PERHAPS}git push * HEAD *`],
];
const forcedTo = (branch: string) => [
  `git push -f * ${branch} *`,
  `git push * +${branch} *`,
  `git push * +*:${branch} *`,
];

const added = (of: string | undefined) =>
  INSTALLERS.filter(([kind]) => !of || kind.test(of)).flatMap(([, all]) => all.split(",").map(each => `${each} *`));

/** As a glob of the workspace; undefined: it is no path. Of a name alone, only "the `x` folder" says that it is one. */
function pathOf(written: string, { folder }: Said): { path: string; isFolder: boolean } | undefined {
  const path = written.replace(/^\.\//, "").replace(/\/$/, "");
  if (
    !/^(?:~\/)?[\p{L}\p{N}_.@*{},[\]-]+(?:\/[\p{L}\p{N}_.@*{},[\]-]+)*$/u.test(path) ||
    /^(?:\.{1,2}|\*+)$/.test(path)
  )
    return undefined;
  const isFolder = written.endsWith("/") || (folder !== undefined && /^[\w.-]+$/.test(path));
  if (isFolder || FILE.test(path)) return { path, isFolder };
  return path.includes("/") ? { path, isFolder: true } : undefined;
}
const FILE = new RegExp(`\\.(?:${EXTENSIONS})$|^\\.[a-z]|(?:^|/)(?:\\.env[\\w.*-]*|Makefile|Dockerfile)$|\\*`, "u");

const onPath = (tool: string, place: ReturnType<typeof pathOf>) =>
  place && [`${tool}(${place.isFolder ? `${place.path}/**` : place.path})`];

function deleted(place: ReturnType<typeof pathOf>): string[] | undefined {
  if (!place || place.path.includes("*")) return undefined;
  const { path, isFolder } = place;
  return [`rm ${path} *`, `rm * ${path} *`, ...(isFolder ? [`rm ${path}/*`, `rm * ${path}/*`] : [])];
}

const CHECKERS = /^(?:pytest|tox|ruff|mypy|eslint|tsc|vitest|jest|biome|pre-commit|(?:\.\/|scripts\/|bin\/)[\w./-]+)$/;

/** `X` and what follows it; an option may come later too. `git push --force` is any forced push. */
function commandRules(written: string): string[] | undefined {
  const command = written
    .trim()
    .replace(/\s*(?:\*|\.\.\.|…)$/, "")
    .replace(/\s+/g, " ");
  const [program = "", ...words] = command.split(" ");
  if (!(isKnown(program) || CHECKERS.test(program)) || /[<>|;&{}()$"'*]/.test(command)) return undefined;
  if (/^git push (?:--force|-f)$/.test(command)) return FORCE;
  const at = words.findIndex(word => word.startsWith("--"));
  const later = [program, ...words.slice(0, at), "*", ...words.slice(at), "*"].join(" ");
  return [`${command} *`, ...(at < 0 ? [] : [later])];
}

/** Actions as they are said in Chinese, each in the words that are looked up. */
const chinese: readonly [RegExp, string][] = [
  [/^(?:直接|擅自|随意)+/u, ""],
  [/^强制推送(?:代码)?(?:到)?\s*/u, "force push to "],
  [/^(?:向|往|对)\s*(\S+?)\s*(?:主?分支)?\s*(?:直接)?\s*(?:推送|push)(?:代码)?/u, "push to $1"],
  [/^(?:推送|push)(?:代码|提交)?(?:到|至)?(?:远程)?的?\s*(?=[`a-z])/iu, "push to "],
  [/^(?:推送|push)(?:代码|到远程(?:仓库)?)?/iu, "push"],
  [/^(?:提交|commit)(?:代码|更改|改动|变更)?(?=$|[。，,或和])/iu, "commit "],
  [/^(?:手动|直接)?(?:修改|编辑|改动|更改|触碰|改)\s*(?=[`a-z.])/iu, "edit "],
  [/^删除\s*(?=[`a-z.])/iu, "delete "],
  [/^(?:读取|查看|打开|访问)\s*(?=[`a-z.])/iu, "read "],
  [/^(?:运行|执行|使用|调用)\s*(?=[`a-z])/iu, "run "],
  [
    /^(?:安装|添加|引入|新增)(?:新的?|任何|第三方|外部|额外的?)*的?\s*(?:依赖(?:包|项)?|软件包|包|第三方库|库)/u,
    "install packages ",
  ],
];

export function inEnglish(act: string): string {
  if (!/\p{Script=Han}/u.test(act)) return act.trim();
  return chinese
    .reduce((text, [from, to]) => text.replace(from, to), act.replace(/[\s。！!]+$/u, "").trim())
    .replace(/force push to\s*(?=$|[。，,])/u, "force push")
    .replace(/(?<=[`\w/])\s*(?:目录|文件夹)(?:下|中|里|内)?的?(?:任何|所有)?(?:文件|代码|内容)?/gu, " folder")
    .replace(/(?<=[`\w/])\s*(?:分支|文件|命令)/gu, " ")
    .replace(/\s+$/, "");
}
