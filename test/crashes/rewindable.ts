/** The agent with real files, a real shell and a real disk, in a folder that outlives it: `app` is the workspace. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NodeBaselines } from "../../src/node/baselines/baseline";
import { diskStates } from "../../src/node/baselines/diskStates";
import { NodeFiles } from "../../src/node/files";
import { NodeShell } from "../../src/node/shell/shell";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { world } from "../fakes/agent";
import { SESSION } from "../fakes/disk/crashes";

export function rewindable(place: string, mark: string, { scratch = join(place, "scratch") } = {}) {
  const { ports, models } = world({ mode: "auto" });
  // An editor there is none.
  const { unsaved: _, ...others } = ports;
  const folder = join(place, "app");
  let count = 0;
  const real = {
    ...others,
    files: new NodeFiles([folder]),
    shell: new NodeShell({ graceMs: 0 }),
    storage: new NodeStorage(join(place, "sessions"), { pollMs: 5 }),
    baselines: new NodeBaselines({
      folders: () => [folder],
      scratch,
      logger: ports.logger,
      maxWaitMs: 20_000,
    }),
    disk: diskStates,
    ids: { next: (prefix: string) => (prefix === "ses" ? SESSION : `${prefix}_${mark}${++count}`) },
  };
  return { ports: real, models };
}

/** Files of a workspace, some of them in Git. */
export function fill(place: string, { git }: { git: boolean }): void {
  const folder = join(place, "app");
  mkdirSync(join(folder, "sub"), { recursive: true });
  for (let at = 0; at < 12; at++) writeFileSync(join(folder, `f${at}.txt`), `${at}\n`.repeat(at * 400 + 1));
  writeFileSync(join(folder, "sub/bytes.bin"), Buffer.from([0, 255, 13, 10, 0]));
  const run = (command: string) => execFileSync("bash", ["-c", command], { cwd: folder, stdio: "pipe" });
  if (git)
    run(
      "git init -q && git config user.email a@b && git config user.name n && git config core.autocrlf false && git add -A && git commit -qm one",
    );
  writeFileSync(join(folder, "mine.txt"), "never in Git\n");
  run("ln -s f1.txt link; chmod 600 mine.txt; chmod 755 f5.txt");
  writeFileSync(join(place, "change.sh"), CHANGE);
}

/** Creates, changes, deletes, moves, chmods and links, another file each time. */
const CHANGE = `cd "$1" || exit 1
n=$2; a=$((n % 12)); b=$(((n + 5) % 12)); c=$(((n + 7) % 12))
[ -e "f$a.txt" ] && chmod u+w "f$a.txt"; echo "changed $n" >> "f$a.txt"
rm -f "f$b.txt"
[ -e "f$c.txt" ] && mv "f$c.txt" "sub/moved$n.txt"
mkdir -p "new/$n"; printf 'made %s\\r\\n' "$n" > "new/$n/made.txt"
chmod $((n % 2 ? 755 : 444)) "f$a.txt" mine.txt; chmod u+w mine.txt; echo "$n" >> mine.txt
ln -sfn "f$b.txt" link; printf 'q\\0%s' "$n" > sub/bytes.bin
`;

/** What a model says and does in a turn, and after it. */
export function commandTurn(place: string, at: number) {
  const change = (number: number) => ({
    command: `sh '${join(place, "change.sh")}' '${join(place, "app")}' ${number}`,
  });
  return [
    { text: "I do it.", calls: [{ name: "Bash", input: change(at) }] },
    { text: "And more.", calls: [{ name: "Bash", input: change(at + 3) }] },
    { text: "Done." },
  ];
}
