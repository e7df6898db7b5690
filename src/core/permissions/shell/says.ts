/** What a program that is not known to only read may do: for the question, in words of who is asked. */
import type { ShellWord } from "./words";

const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:pip3?|gem|bundle|composer|cargo|yarn|pnpm|poetry|uv) (?:list|show|info|tree|freeze|outdated)$/,
    "may run what the workspace or its packages bring with them",
  ],
  [/^(?:cargo|rustc|yarn|pnpm|mvn|gradle|dotnet)$/, "takes what it runs from the workspace's own files"],
  [
    /^(?:npm|pnpm|yarn|bun) (?:i|ci|install|add|update|upgrade|link)$/,
    "installs packages, and runs what they want run",
  ],
  [
    /^(?:npm|pnpm|yarn|bun) (?:publish|login|logout|adduser|token|version)$/,
    "acts for you at the package registry or changes the version",
  ],
  [
    /^(?:npm|pnpm|yarn|bun) (?:t|test|run|start|exec|run-script|build|lint|dev)$/,
    "runs a script of this project, which may do anything",
  ],
  [/^(?:npx|pnpx|bunx|uvx|pipx)\b/, "runs a package, fetched first if it is not here"],
  [
    /^(?:pip3?|uv|poetry|pipenv|conda|gem|bundle|composer|brew|apt|apt-get|dnf|apk|pacman)\b/,
    "installs or changes packages, and runs what they want run",
  ],
  [
    /^(?:cargo|go|dotnet|swift|zig|mvn|mvnw|gradle|gradlew|sbt|mix|rake|bazel|cmake|ninja|make|just|task|tox|nox) (?:test|check|build|run|vet|bench|clippy|package|verify|install)$/,
    "builds or runs this project's code, which may do anything",
  ],
  [
    /^(?:make|just|task|ninja|bazel|mvn|mvnw|gradle|gradlew|sbt|rake|tox|nox|cmake|meson)\b/,
    "runs what this project's build files say, which may be anything",
  ],
  [
    /^(?:cargo|rustc|rustup|go|dotnet|swift|zig|mix|tsc|gcc|g\+\+|cc|clang|javac)\b/,
    "builds code or changes the tools that build it, and writes files",
  ],
  [
    /^(?:pytest|jest|vitest|mocha|phpunit|rspec|ctest|playwright|cypress|ava|tap)\b/,
    "runs this project's tests, which may do anything",
  ],
  [
    /^(?:eslint|prettier|biome|ruff|black|mypy|flake8|pylint|tslint|stylelint|rubocop|golangci-lint|rustfmt)\b/,
    "reads this project's settings, which may name code to run, and may write files",
  ],
  [
    /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|java|osascript|pwsh|powershell)\b/,
    "runs code",
  ],
  [/^(?:rm|rmdir|unlink|shred|truncate|del)\b/, "deletes files"],
  [
    /^(?:mv|cp|ln|mkdir|touch|chmod|chown|install|dd|tee|patch|split|zip|unzip|gzip|gunzip|rename)\b/,
    "changes or writes files",
  ],
  [
    /^(?:curl|wget|https?|nc|ncat|telnet|ftp|sftp|scp|rsync|ssh|dig|nslookup|ping|gh|glab|aws|gcloud|az)\b/,
    "reaches the network",
  ],
  [
    /^(?:docker|podman|kubectl|helm|terraform|vagrant|systemctl|service|launchctl)\b/,
    "changes what runs on this machine or elsewhere",
  ],
  [/^(?:kill|pkill|killall)\b/, "ends processes"],
  [/^(?:sudo|doas|su)\b/, "runs with the rights of another user"],
  [/^(?:vi|vim|nvim|nano|emacs|code|ed|ex)\b/, "opens an editor, which may change files"],
];

export function says(name: string, rest: readonly ShellWord[]): string {
  const program = name.slice(name.lastIndexOf("/") + 1);
  const second = rest.find(({ value }) => !value?.startsWith("-"))?.value ?? "";
  const shown = /^[\w:.-]{1,40}$/.test(second) ? `${program} ${second}` : program;
  if (name.includes("/")) return `\`${name}\` is a program of its own, which may do anything`;
  const sentence = sentences.find(([test]) => test.test(shown))?.[1];
  return sentence ? `\`${shown}\` ${sentence}` : `Strata does not know what \`${program}\` does`;
}
