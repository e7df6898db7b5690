/**
 * What programs are, by their names. Programs that only read are in programs.ts, risky options in risky.ts.
 */

/** `shell`: runs command lines of POSIX. `wraps`: does nothing but start another program. `starts`: starts another one. `elsewhere`: what that does, it does not do here. */
type ProgramTrait =
  | "shell"
  | "wraps"
  | "starts"
  | "elsewhere"
  | "changes"
  | "runs"
  | "fetches"
  | "narrow"
  | "verbs"
  | "unsettles";

/**
 * `changes`: some of its words are files that are not the same afterwards. `runs`: a file that it is given. `fetches`: it prints foreign text. `narrow`: what
 * it does is said by all of its words, so no rule with a star is offered. `verbs`: what it does is said by a later word (`npm --silent test`).
 * `unsettles`: the shell's own; what runs afterwards may be something else.
 */
const lines = `
shell runs narrow: sh bash dash zsh ksh ash rbash mksh
starts: pkexec runuser chroot unshare nsenter strace ltrace gdb valgrind perf firejail bwrap script screen tmux batch parallel entr direnv dotenv cross-env concurrently make just task busybox toybox start-stop-daemon systemd-run expect unbuffer rlwrap setarch taskset numactl flock
starts narrow: sudo doas su at npx pnpx bunx uvx
starts runs narrow: bun
wraps: exec setsid stdbuf ionice gtimeout timeout time nohup nice builtin watch
wraps narrow: env eval xargs
wraps runs: source .
runs: tcsh csh nodejs tsx ts-node vite-node pypy julia java tclsh
starts verbs: npm pnpm yarn uv poetry pipenv bundle pipx
starts elsewhere: mosh vagrant
starts elsewhere narrow: docker podman kubectl
starts elsewhere narrow fetches: ssh
elsewhere: nerdctl
changes: touch install unlink patch mkdir chgrp sponge ed ex vi vim nvim nano emacs tar unzip 7z cpio split csplit sort ditto rename prettier gofmt xcopy robocopy copy move del
changes narrow: rm rmdir mv cp dd chmod chown ln tee truncate shred sed rsync scp
changes runs narrow: perl
fetches: http https xh httpie lynx w3m links elinks telnet sftp ftp dig nslookup whois
fetches narrow: curl wget nc ncat gh aws gcloud az
fetches verbs: glab
runs narrow: fish ruby php lua node deno python osascript pwsh
narrow: find awk kill pkill killall mkfs mount crontab socat open xdg-open terraform
unsettles: coproc trap wait command set export declare typeset local pushd popd hash alias unalias shopt enable bind complete readonly unset read mapfile readarray getopts let
verbs: git cargo go pip pip3 conda dotnet mvn gradle gem composer brew apt apt-get dnf apk pacman rustup helm systemctl mix rake bazel cmake firebase vercel heroku fly flyctl nix
`;

const traits = new Map<string, ReadonlySet<string>>(
  lines
    .trim()
    .split("\n")
    .flatMap(line => {
      const [of = "", names = ""] = line.split(": ");
      const all = new Set(of.split(" "));
      return names.split(" ").map(name => [name, all] as const);
    }),
);

/** @param name see `programName`, or as written where only the exact name counts */
export const isProgram = (trait: ProgramTrait, name: string): boolean => traits.get(name)?.has(trait) ?? false;

/** Where case does not count on the disk, `/bin/RM` is rm as well. */
export const plainName = (program: string): string =>
  program
    .slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");

/** `/usr/bin/python3.11` is python. */
export const programName = (program: string): string =>
  plainName(program).replace(/^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/, "$1");
