/** All that a call would do and why it is asked about, the worst first: told from the facts that decide, decides nothing. */
import { effectKinds, type ToldEffect } from "../../shared/approval";
import { listed } from "../../shared/format";
import { t } from "../../shared/l10n";
import { obeyedBecause } from "../../shared/obeyedFiles";
import { fileName } from "../../shared/paths";
import { oneLine } from "../ground/text/format";
import type { CommandFacts } from "./commandFacts";
import { commandReasons } from "./commandPolicy";
import { databases, emptiedBy } from "./plain/doings";
import { isProgram, programName } from "./plain/programKinds";
import { outside } from "./protectedPaths";
import { type Action, type PolicyState, protectedUses, type Verdict } from "./verdict";

/** @param more reasons that the policy does not know */
export function effectsOf(action: Action, state: PolicyState, verdict: Verdict, more: readonly unknown[]) {
  const { by, reason = "" } = verdict;
  const does = action.command && programEffects(action.command);
  const reasons = commandReasons(action, state, by === "command");
  // What an effect says of a program is the reason, too.
  const others = reasons.filter(({ part }) => !part || !does?.parts.has(part)).map(({ why }) => why);
  const known = reasons.find(({ why }) => why && reason.startsWith(why))?.why ?? "";
  const rest = by === "protected" ? reason.split("; ").slice(1).join("; ") : reason.slice(known.length);
  const sentences = [...others, rest.replace(/^[;；] ?/, ""), ...more].map(words => ({ kind: "reason", words }));
  const found = [...(does?.effects ?? []), ...fileEffects(action, state), ...(sentences as ToldEffect[])];
  const distinct = new Map(found.flatMap(({ kind, words }) => (words ? [[words, { kind, words }]] : [])));
  const sorted = [...distinct.values()].sort((a, b) => effectKinds.indexOf(a.kind) - effectKinds.indexOf(b.kind));
  return sorted.map(({ kind, words }, at) => {
    return { kind, words: at === 0 && kind !== "reason" ? words.charAt(0).toUpperCase() + words.slice(1) : words };
  });
}

/** Of a file that is written the reading is not told; files with the same reason are told together. */
function fileEffects(action: Action, state: PolicyState): ToldEffect[] {
  const { command } = action;
  // In a text that is not read any word may be a file that changes.
  const unsure = new Set(command?.unread === undefined ? [] : command.changes);
  const uses = [...protectedUses(action, state)].map(({ ref, how, reason }) => {
    return { ref, reason, writes: how === "write" && !unsure.has(ref) };
  });
  const strongest = new Map(uses.sort((a, b) => +a.writes - +b.writes).map(use => [use.ref.absolute, use]));
  const groups = Map.groupBy(strongest.values(), ({ writes, reason }) => `${writes} ${reason}`);
  return [...groups.values()].flatMap(group => {
    const paths = new Set(group.map(({ ref }) => ref.path));
    const named = [...paths].filter(path => !(path.startsWith("@") && paths.has(path.slice(1))));
    const files = listed(named, 3);
    return group.slice(0, 1).map(({ ref, reason, writes }) => {
      const isObeyed = obeyedBecause(ref.relative.toLowerCase().split("/")) !== undefined;
      const kind = isObeyed ? "settings" : reason === outside() ? "outside" : "overwrites";
      if (!writes) return { kind: "reason", words: command ? `${files}: ${reason}` : reason };
      return { kind, words: command ? t("changes {0}: {1}", files, reason) : reason };
    });
  });
}

/** A kind, and its programs: each with the words that have to follow (`a/b`: one of them) and its options, anywhere; `!-x` must be absent. */
const table = `
deletes: rm, rmdir, unlink, shred, rimraf, del, find -delete, rsync --delete, wipefs, mkfs, mkfs.ext4, dropdb, userdel, npm unpublish, vercel remove, git rm, git clean !-n !--dry-run, git reset --hard, git reset --merge, git checkout ., git checkout --, git checkout -f, git checkout --force, git restore !--staged !-S, git switch -f, git switch --discard-changes, git stash drop/clear, git branch -D, git tag -d, git push --delete, git push -d, git worktree remove, git reflog expire, docker/podman rm/rmi, docker/podman system/volume/image/container/network/builder prune, docker/podman volume/network/image/container rm, docker/podman compose down -v, docker/podman compose down --volumes, kubectl delete, helm uninstall/delete, terraform/pulumi destroy, gh repo/release/issue delete, aws s3 rm/rb, gcloud storage rm, prisma migrate reset, prisma db push --force-reset
overwrites: git push -f, git push --force, git filter-branch, git filter-repo, dd, truncate
publishes: git push, npm/pnpm/yarn/bun/cargo/poetry/uv/flit/hatch/vsce/ovsx/lerna/changeset publish, yarn npm publish, gem push, twine upload, mvn deploy, gradle publish, dotnet nuget push, semantic-release, goreleaser, docker/podman push, docker buildx build --push, helm push, gh release/pr/repo/issue create, gh pr merge/comment, vercel, netlify/firebase/fly/flyctl/wrangler/serverless/cdk deploy, terraform apply, pulumi up, kubectl apply
sends: curl -d, curl --data, curl -F, curl --form, curl -T, curl --upload-file, curl --json, wget --post, wget --body, scp, sftp, nc, ncat, telnet, mail, sendmail, aws s3 cp/sync
settings: git config, crontab !-l, systemctl enable/disable/mask, launchctl load/bootstrap, npm/pnpm/yarn config, npm set, husky, pre-commit install, direnv allow, chsh, visudo, reg add, schtasks
installs: npm/pnpm/bun install/i/add/ci/update, yarn add/install, pip/pip3/pipenv/conda/gem/bundle/cargo/poetry install, python -m pip install, uv/poetry/cargo/dotnet add, uv sync, uv pip install, go install/get, composer require/install, brew/apt/apt-get/dnf/yum/zypper/port/choco/snap install, apk add, pacman -S, nix-env -i, code --install-extension
`;
const rows = table.split(/\n(?=.)/).flatMap(line => {
  const [kind = "", row = ""] = line.trim().split(": ");
  return row.split(", ").flatMap(entry => {
    const [names = "", ...needs] = entry.split(" ");
    return names.split("/").map(name => ({ kind: kind as ToldEffect["kind"], name, needs }));
  });
});
const rowsOf = Map.groupBy(rows, ({ name }) => name);
/** One that may start, and the words behind it; `empties`: its whole command, or what it is given to read, would empty a database. */
interface StartedProgram {
  program: string;
  rest: readonly string[];
  empties: boolean;
  part: CommandFacts["parts"][number];
}

/** `parts`: those of which something is told, or which only read beside them */
function programEffects({ unread, parts, writes }: CommandFacts) {
  // Once for all of its programs: there may be thousands.
  const isEmptying = unread !== undefined && empties(unread);
  const commands = parts.flatMap(part => {
    const { words, text, starts, given = [], effect } = part;
    if (unread !== undefined) return segments(unread).map(each => startsIn(each, isEmptying, part));
    const all = starts === undefined ? words : text.split(" ");
    return effect === "acts" ? [startsIn(all, empties([text, ...given].join(" ")), part)] : [];
  });
  const ran = downloadsThatRun(commands, writes);
  const found = commands.flatMap(starts => effectsIn(starts).map(told => ({ ...told, part: starts[0]?.part })));
  const effects = [...found, ...ran];
  const isBeside = (part: StartedProgram["part"]) => effects.length > 0 && part.effect !== "acts";
  return { effects, parts: new Set([...effects.map(({ part }) => part), ...parts.filter(isBeside)]) };
}

const empties = (text: string) => emptiedBy(text).length > 0;

export const keywords = new Set("do then else elif if while until ! time".split(" "));
/** words behind a program that starts others, each of which may be one; words of one command */
const [MAX_STARTS, MAX_WORDS] = [50, 200];
/** characters of a name that is told */
const MAX_NAME = 80;

function startsIn(all: readonly string[], empties: boolean, part: StartedProgram["part"]): StartedProgram[] {
  const at = all.findIndex(word => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  const first = programName(all[at] ?? "");
  const isDoor = isAny(first, "wraps", "starts", "elsewhere", "shell") && !isProgram("verbs", first);
  const door = isDoor ? at : all.findIndex(word => /^-(?:exec|ok)(?:dir)?$/.test(word));
  const isStart = (index: number) => index === at || (door >= 0 && index > door && index < door + MAX_STARTS);
  return all.flatMap((program, index) =>
    isStart(index) ? [{ program, rest: all.slice(index + 1, index + MAX_WORDS), empties, part }] : [],
  );
}
const isAny = (name: string, ...of: Parameters<typeof isProgram>[0][]) => of.some(trait => isProgram(trait, name));
const runsInput = (name: string) => isAny(name, "shell", "runs") || /^(?:eval|source|\.)$/.test(name);

/** Of a text without quotes: simple commands without redirections, and without texts that are only given to be read. */
export function segments(unread: string): string[][] {
  const kept: string[] = [];
  let end: string | undefined;
  for (const line of unread.split("\n")) {
    if (end === undefined || /\$\(|`/.test(line)) kept.push(line);
    if (end !== undefined) end = line.trim() === end ? undefined : end;
    else if (
      !isRunLater(line, unread) &&
      !line.split(/[\s|;&()]+/).some(word => runsInput(programName(word)) || isProgram("elsewhere", word))
    )
      end = /<<-?[ \t]{0,9}(\w+)/.exec(line)?.[1];
  }
  return kept
    .join("\n")
    .replace(/\b\d(?=[<>])|>{1,2}[|&]?[ \t]{0,9}[^\s;|&()<>]*|<{1,3}-?[ \t]{0,9}[^\s;|&()<>]+/g, " ")
    .split(/[\n;&|(){}`<>]+/)
    .map(words => words.split(/\s+/).filter(word => word !== "" && word !== "$"));
}

/** A text written into a file that the command names again: a script. */
function isRunLater(line: string, text: string): boolean {
  const file = />{1,2}[ \t]{0,9}([^\s;|&()<>]+)/.exec(line)?.[1];
  return file !== undefined && text.split(fileName(file)).length > 2;
}

function effectsIn(starts: readonly StartedProgram[]): ToldEffect[] {
  for (const { program, rest, empties } of starts) {
    const name = programName(program);
    const words = rest.filter((word, at) => !word.startsWith("-") && !/^-[cC]$/.test(rest[at - 1] ?? ""));
    const values = new Set(rest.filter((_, at) => /^-[^=]*$/.test(rest[at - 1] ?? "")));
    const has = (option: string) => rest.some(word => isOption(option, word));
    const told = (rowsOf.get(name) ?? []).flatMap(({ kind, needs }) => {
      const verbs = needs.filter(need => !/^[-!]/.test(need));
      const options = needs.filter(need => need.startsWith("-"));
      const behind = verbs.reduce<readonly string[] | undefined>(
        (left, verb) => left && wordsBehind(verb.split("/"), left, values),
        words,
      );
      if (behind === undefined || !options.every(has)) return [];
      if (needs.some(need => need.startsWith("!") && has(need.slice(1)))) return [];
      const named = verbs.map(verb => verb.split("/").find(each => words.includes(each)));
      return [{ kind, words: said(kind, [name, ...named, ...options].join(" "), behind, rest) }];
    });
    if (databases.test(name) && empties) told.push({ kind: "deletes", words: lost(name) });
    // A substitution or a variable in an address: of an unread one it was cut off.
    if (isProgram("fetches", name) && rest.some(word => /[?=](?:\$|$)/.test(word)))
      told.push({ kind: "sends", words: said("sends", name, words, rest) });
    const stays = rest.some(isOwnMachine) || (name === "scp" && !rest.at(-1)?.includes(":"));
    if (told.length > 0) return told.filter(({ kind }) => kind !== "sends" || !stays);
  }
  return [];
}

/** What follows one of these verbs, which may stand behind values of options: `kubectl -n prod delete …`. undefined: another word comes first */
function wordsBehind(verbs: readonly string[], words: readonly string[], values: ReadonlySet<string>) {
  const at = words.findIndex(word => verbs.includes(word) || !values.has(word));
  return verbs.includes(words[at] ?? "") ? words.slice(at + 1) : undefined;
}

/** A short one is found within a cluster, before one that has its value attached (`-XGET`); a long one in its longer forms. */
function isOption(option: string, word: string): boolean {
  if (/^--./.test(option)) return word.startsWith(option);
  const [cluster = ""] = /^-[A-WYZa-z]*/.exec(word) ?? [];
  return word === option || (/^-\w$/.test(option) && cluster.includes(option.charAt(1)) && /^-[A-Za-z]+$/.test(word));
}

const lost = (by: string) => t("deletes data with {0}", by);

/** @param by the program and what makes it do this @param given its other words */
function said(kind: ToldEffect["kind"], by: string, given: readonly string[], rest: readonly string[]): string {
  const named = given.filter(word => /[A-Za-z\d.*]/.test(word) && !/[$%{}=]/.test(word));
  const files = named.map(word => oneLine(word, MAX_NAME));
  if (kind === "deletes") {
    if (/^git (?:reset|checkout|restore|switch)/.test(by)) return t("discards uncommitted changes");
    if (by.startsWith("git clean")) return t("deletes untracked files");
    if (by.includes(" ") && !/^(?:git rm|find)/.test(by)) return lost(by);
    return files.length === 0 || by.startsWith("find") ? t("deletes files") : t("deletes {0}", listed(files, 3));
  }
  if (kind === "overwrites") {
    if (by.startsWith("git")) return t("overwrites commits");
    return t("overwrites {0}", rest.find(word => word.startsWith("of="))?.slice(3) ?? listed(files, 3));
  }
  if (kind === "publishes") return t("publishes with {0}", by);
  if (kind === "settings") return t("changes settings with {0}", by);
  if (kind === "installs") return t("installs packages");
  const file = rest.map(word => /^(?:[\w.-]+=)?@(.+)$/.exec(word)?.[1]).find(Boolean);
  return t("sends {0} to {1}", file ?? t("data"), hostOf(rest) ?? t("another machine"));
}

const hostOf = (words: readonly string[] = []) =>
  words.map(word => /^(?:[a-z][\w+.-]*:\/\/(?:[^\s/@]*@)?|[\w.-]+@)([\w.-]+)/i.exec(word)?.[1]).find(Boolean);
const isOwnMachine = (word: string) => /^(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?=[:/?]|$)/.test(word);

/** Programs that run what another one downloaded: by a pipe, in its place, or as the file that it became. */
function downloadsThatRun(commands: readonly StartedProgram[][], writes: CommandFacts["writes"]) {
  const isFetch = ({ program }: StartedProgram) => isProgram("fetches", programName(program)) && program !== "ssh";
  const fetched = commands.flat().filter(isFetch);
  const paths = [...fetched.flatMap(({ rest }) => rest), ...writes.map(({ path }) => path)];
  const files = new Set(fetched.length > 0 ? paths.map(fileName) : []);
  const runs = ({ program, rest }: StartedProgram) => {
    const name = programName(program);
    if (!runsInput(name)) return program.includes("/") && files.has(fileName(program));
    // `deno run https://…`
    const [file] = rest.filter(word => !/^-|^(?:run|\/dev\/stdin)$/.test(word));
    if (/^https?:/.test(file ?? "")) return true;
    if (file !== undefined && !(isProgram("shell", name) && rest.includes("-s"))) return files.has(fileName(file));
    return fetched.length > 0 && !rest.some(word => /^(?:-[vVh]|--?version|--help)$/.test(word));
  };
  const at = commands.findIndex(command => command.some(runs));
  // The nearest one before it, else behind: `sh -c "$(curl …)"`.
  const near = [...commands.slice(0, at + 1).toReversed(), ...commands.slice(at + 1)].flat();
  const host =
    hostOf(near.filter(start => isFetch(start) || runs(start)).flatMap(({ rest }) => rest)) ?? t("the internet");
  const told = { kind: "runs" as const, words: t("downloads and runs a script from {0}", host) };
  return at < 0 ? [] : [...fetched, ...(commands[at] ?? [])].map(({ part }) => ({ ...told, part }));
}
