/** What the programs of a command do beyond reading, by their words: only what a person is told, no decision depends on it. */
import type { ToldEffect } from "../../../shared/approval";
import { listed } from "../../../shared/format";
import { t } from "../../../shared/l10n";
import { fileName } from "../../../shared/paths";
import type { CommandFacts } from "../commandFacts";
import { isProgram, programName } from "./programKinds";

type Kind = ToldEffect["kind"];

/** A kind, its programs, each with the words that have to follow it (`a/b`: one of them) and its options, anywhere: `!-x` must be absent. */
const table = `
deletes: rm, rmdir, unlink, shred, rimraf, del, find -delete, rsync --delete, wipefs, mkfs, mkfs.ext4, dropdb, userdel, npm unpublish, vercel remove
deletes: git rm, git clean !-n !--dry-run, git reset --hard, git reset --merge, git checkout ., git checkout --, git checkout -f, git checkout --force
deletes: git restore !--staged !-S, git switch -f, git switch --discard-changes, git stash drop/clear, git branch -D, git tag -d, git push --delete, git push -d, git worktree remove, git reflog expire
deletes: docker/podman rm/rmi, docker/podman system/volume/image/container/network/builder prune, docker/podman volume/network/image/container rm, docker/podman compose down -v, docker/podman compose down --volumes
deletes: kubectl delete, helm uninstall/delete, terraform/pulumi destroy, gh repo/release/issue delete, aws s3 rm/rb, gcloud storage rm, prisma migrate reset, prisma db push --force-reset
overwrites: git push -f, git push --force, git filter-branch, git filter-repo, dd, truncate
publishes: git push, npm/pnpm/yarn/bun/cargo/poetry/uv/flit/hatch/vsce/ovsx/lerna/changeset publish, yarn npm publish, gem push, twine upload, mvn deploy, gradle publish, dotnet nuget push, semantic-release, goreleaser
publishes: docker/podman push, docker buildx build --push, helm push, gh release/pr/repo/issue create, gh pr merge/comment, vercel, netlify/firebase/fly/flyctl/wrangler/serverless/cdk deploy, terraform apply, pulumi up, kubectl apply
sends: curl -d, curl --data, curl -F, curl --form, curl -T, curl --upload-file, curl --json, wget --post, wget --body, scp, sftp, nc, ncat, telnet, mail, sendmail, aws s3 cp/sync
settings: git config, crontab !-l, systemctl enable/disable/mask, launchctl load/bootstrap, npm/pnpm/yarn config, npm set, husky, pre-commit install, direnv allow, chsh, visudo, reg add, schtasks
installs: npm/pnpm/bun install/i/add/ci/update, yarn add/install, pip/pip3/pipenv/conda/gem/bundle/cargo/poetry install, python -m pip install, uv/poetry/cargo/dotnet add, uv sync, uv pip install, go install/get, composer require/install
installs: brew/apt/apt-get/dnf/yum/zypper/port/choco/snap install, apk add, pacman -S, nix-env -i, code --install-extension
`;
const entries = table
  .trim()
  .split("\n")
  .flatMap(line => {
    const [kind = "", row = ""] = line.split(": ");
    return row.split(", ").flatMap(entry => {
      const [names = "", ...rest] = entry.split(" ");
      const [verbs, options] = [rest.filter(word => !/^[-!]/.test(word)), rest.filter(word => word.startsWith("-"))];
      const absent = rest.filter(word => word.startsWith("!")).map(word => word.slice(1));
      return names.split("/").map(name => ({ kind: kind as Kind, name, verbs, options, absent }));
    });
  });
const rows = Map.groupBy(entries, ({ name }) => name);
const databases = /^(?:psql|mysql|mariadb|sqlite3|duckdb|mongosh?|redis-cli|sqlcmd|clickhouse-client)$/;
const emptying =
  /\b(?:drop\s+(?:database|table|schema|view|index|column|user)|truncate|delete\s+from|flush(?:all|db)|dropDatabase)\b/i;

/** A program that may start, and the words behind it. */
interface Start {
  program: string;
  name: string;
  rest: readonly string[];
  /** all of the command that it is in, with what it is given to read */
  text: string;
  part: number;
}

/** @returns by part; one that is not read is one part */
export function programEffects({ unread, parts, writes }: CommandFacts): ToldEffect[][] {
  const commands = parts.flatMap(({ words, text, starts, given = [], effect }, part) => {
    if (unread !== undefined) return segments(unread).map(each => startsIn(each, unread, part));
    const all = starts === undefined ? words : text.split(" ");
    return effect === "acts" ? [startsIn(all, [text, ...given].join(" "), part)] : [];
  });
  const ran = downloadThatRuns(commands, new Set(writes.map(({ path }) => fileName(path))));
  return parts.map((_, at) => [
    ...commands.filter(([start]) => start?.part === at).flatMap(effectsIn),
    ...(ran?.parts.has(at) ? [ran] : []),
  ]);
}

const keywords = new Set("do then else elif if while until ! time".split(" "));

/** Of a simple command its program; behind one that starts others, each word may be one. */
function startsIn(all: readonly string[], text: string, part: number): Start[] {
  const at = all.findIndex(word => !keywords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
  const first = programName(all[at] ?? "");
  const isDoor = isAny(first, "wraps", "starts", "elsewhere", "shell") && !isProgram("verbs", first);
  const door = isDoor ? at : all.findIndex(word => /^-(?:exec|ok)(?:dir)?$/.test(word));
  return all.flatMap((program, index) =>
    index === at || (door >= 0 && index > door && index <= door + MAX_DOOR)
      ? [{ program, name: programName(program), rest: all.slice(index + 1, index + MAX_WORDS), text, part }]
      : [],
  );
}
const MAX_DOOR = 50;
const MAX_WORDS = 1000;

const isAny = (name: string, ...of: Parameters<typeof isProgram>[0][]) => of.some(trait => isProgram(trait, name));
const runsInput = (name: string) => isAny(name, "shell", "runs") || /^(?:eval|source|\.)$/.test(name);

/** Of a text without quotes: simple commands without redirections, and without texts that are only given to be read. */
function segments(unread: string): string[][] {
  const kept: string[] = [];
  let end: string | undefined;
  for (const line of unread.split("\n")) {
    if (end === undefined || /\$\(|`/.test(line)) kept.push(line);
    if (end !== undefined) end = line.trim() === end ? undefined : end;
    else if (!line.split(/[\s|;&()]+/).some(word => runsInput(programName(word)) || isProgram("elsewhere", word)))
      end = /<<-?[ \t]{0,9}(\w+)/.exec(line)?.[1];
  }
  return kept
    .join("\n")
    .replace(/\b\d(?=[<>])|>{1,2}[|&]?[ \t]{0,9}[^\s;|&()<>]*|<{1,3}-?[ \t]{0,9}[^\s;|&()<>]+/g, " ")
    .split(/[\n;&|(){}`<>]+/)
    .map(words => words.split(/\s+/).filter(word => word !== "" && word !== "$"));
}

function effectsIn(starts: readonly Start[]): ToldEffect[] {
  for (const { name, rest, text } of starts) {
    const words = rest.filter((word, at) => !word.startsWith("-") && !/^-[cC]$/.test(rest[at - 1] ?? ""));
    const has = (option: string) => rest.some(word => isOption(option, word));
    const told = (rows.get(name) ?? [])
      .filter(row => row.verbs.every((verb, at) => verb.split("/").includes(words[at] ?? "")))
      .filter(({ options, absent }) => options.every(has) && !absent.some(has))
      .map(({ kind, verbs, options }) => {
        const by = [name, ...words.slice(0, verbs.length), ...options].join(" ");
        return { kind, words: said(kind, by, words.slice(verbs.length), rest) };
      });
    if (databases.test(name) && emptying.test(text)) told.push({ kind: "deletes", words: lost(name) });
    // A substitution or a variable in an address.
    const isComputed = (word: string) =>
      /[?=]/.test(word) && (word.includes("$", word.search(/[?=]/)) || /[?=]$/.test(word));
    if (isProgram("fetches", name) && rest.some(isComputed))
      told.push({ kind: "sends", words: said("sends", name, words, rest) });
    const stays = rest.some(isOwnMachine) || (name === "scp" && !rest.at(-1)?.includes(":"));
    if (told.length > 0) return told.filter(({ kind }) => kind !== "sends" || !stays);
  }
  return [];
}

/** A short one is found within a cluster, a long one in its longer forms. */
function isOption(option: string, word: string): boolean {
  if (/^--./.test(option)) return word.startsWith(option);
  return word === option || (/^-\w$/.test(option) && /^-[A-Za-z]+$/.test(word) && word.includes(option.charAt(1)));
}

const lost = (by: string) => t("deletes data with `{0}`", by);

/** @param by the program and what makes it do this @param given its other words */
function said(kind: Kind, by: string, given: readonly string[], rest: readonly string[]): string {
  const files = given.filter(word => /[A-Za-z\d.*]/.test(word) && !/[$%{}=]/.test(word));
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
  if (kind === "publishes") return t("publishes with `{0}`", by);
  if (kind === "settings") return t("changes settings with `{0}`", by);
  if (kind === "installs") return t("installs packages");
  const file = rest.map(word => /^(?:[\w.-]+=)?@(.+)$/.exec(word)?.[1]).find(Boolean);
  return t("sends {0} to {1}", file ?? t("data"), hostOf(rest) ?? t("another machine"));
}

const hostOf = (words: readonly string[] = []) =>
  words.map(word => /^(?:[a-z][\w+.-]*:\/\/(?:[^\s/@]*@)?|[\w.-]+@)([\w.-]+)/i.exec(word)?.[1]).find(Boolean);
const isOwnMachine = (word: string) => /^(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?=[:/?]|$)/.test(word);

/** A program runs what another one downloaded: by a pipe, in its place, or as the file that it became. */
function downloadThatRuns(commands: readonly Start[][], writes: ReadonlySet<string>) {
  const isFetch = ({ name }: Start) => isProgram("fetches", name) && !isProgram("elsewhere", name);
  const fetched = commands.flat().filter(isFetch);
  const files = new Set(fetched.length > 0 ? [...writes, ...fetched.flatMap(({ rest }) => rest.map(fileName))] : []);
  const runs = ({ program, name, rest }: Start) => {
    if (isProgram("runs", name) && rest.some(word => /^https?:/.test(word))) return true;
    if (!runsInput(name)) return program.includes("/") && files.has(fileName(program));
    const [file] = rest.filter(word => !word.startsWith("-") && word !== "/dev/stdin");
    if (file !== undefined && !(isProgram("shell", name) && rest.includes("-s"))) return files.has(fileName(file));
    return fetched.length > 0 && !rest.some(word => /^(?:-[vVh]|--?version|--help)$/.test(word));
  };
  const at = commands.findIndex(command => command.some(start => !isFetch(start) && runs(start)));
  if (at < 0) return undefined;
  // The nearest one before it, else behind: `sh -c "$(curl …)"`.
  const near = [commands[at], ...commands.slice(0, at).toReversed(), ...commands.slice(at + 1)].flatMap(
    each => each ?? [],
  );
  const host = near
    .filter(start => isFetch(start) || runs(start))
    .map(({ rest }) => hostOf(rest))
    .find(Boolean);
  const words = t("downloads and runs a script from {0}", host ?? t("the internet"));
  const parts = new Set([...fetched, ...(commands[at] ?? [])].map(({ part }) => part));
  return { kind: "runs" as const, words, parts };
}
