/** Runs the terminal program as a process of its own, each time in a place of its own. */

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtProduct } from "../../scripts/lib/product.mjs";
import type {
  OfflineAnswer,
  OfflineMessage,
  OfflineRequest,
  OfflineScript,
} from "../../scripts/offline-model/server.mjs";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { agentEventSchema } from "../../src/shared/events";
import { eventually } from "../fakes/eventually";
import { temporaryFolder } from "../fakes/temporary";

export interface Place {
  home: string;
  workspace: string;
  storage: string;
  /** variables beside those that every run has */
  env?: Record<string, string>;
  /** descriptors that it is started with, as `exec 20<…` leaves them */
  opened?: Record<number, number>;
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Started {
  child: ChildProcess;
  kill(signal: NodeJS.Signals): void;
  /** what it wrote so far */
  seen(): string;
}

/** For use in a `describe`: the program as it is built, and places that are removed after its tests. */
export function program() {
  const folder = temporaryFolder("cli");
  let path = "";
  let count = 0;
  before(async function () {
    this.timeout(300_000);
    path = join(await builtProduct(), "cli/main.js");
  });

  function place(): Place {
    const home = join(folder, String(++count));
    const workspace = join(home, "ws");
    mkdirSync(workspace, { recursive: true });
    writeFileSync(join(workspace, "a.txt"), "one\n");
    return { home, workspace, storage: join(home, "storage") };
  }

  function strata(
    at: Place,
    args: string[],
    onStart?: (started: Started) => void,
    stdout: "pipe" | number = "pipe",
  ): Promise<Ended> {
    const env = {
      PATH: process.env.PATH,
      HOME: at.home,
      TMPDIR: process.env.TMPDIR,
      XDG_CONFIG_HOME: join(at.home, "config"),
      XDG_STATE_HOME: join(at.home, "state"),
      // What a command may do is not what these tests are about.
      STRATA_PERMISSIONS_RUN_EVERYTHING: "true",
      ...at.env,
    };
    const stdio: StdioOptions = ["ignore", stdout, "pipe"];
    for (const [number, fd] of Object.entries(at.opened ?? {})) stdio[Number(number)] = fd;
    const all = Array.from(stdio, one => one ?? "ignore");
    const child = spawn(process.execPath, [path, ...args], { env, stdio: all, cwd: at.home });
    return endOf(child, onStart);
  }
  return { place, strata };
}

export function endOf(child: ChildProcess, onStart?: (started: Started) => void): Promise<Ended> {
  const ended: Ended = { code: null, out: "", err: "" };
  child.stdout?.on("data", data => {
    ended.out += data;
  });
  child.stderr?.on("data", data => {
    ended.err += data;
  });
  onStart?.({ child, kill: signal => child.kill(signal), seen: () => ended.out + ended.err });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", code => resolve({ ...ended, code }));
  });
}

export const runArgs = (at: Place, url: string, ...more: string[]) => [
  ...["run", "--workspace", at.workspace, "--storage", at.storage, "--base-url", url, "--model", "offline-model"],
  ...more,
];

export async function withModel<T>(
  script: OfflineScript | undefined,
  use: (url: string, requests: () => number) => Promise<T>,
): Promise<T> {
  const model = await startOfflineModel(script ? { script } : {});
  try {
    return await use(model.url, () => model.requests.length);
  } finally {
    await model.close();
  }
}

/** The model gives these answers, then says that it is done. @returns with what it was asked */
export async function withAnswers<T extends object>(answers: OfflineAnswer[], use: (url: string) => Promise<T>) {
  const [asked, left]: [OfflineRequest[], OfflineAnswer[]] = [[], [...answers]];
  const script = (request: OfflineRequest) => {
    asked.push(request);
    return left.shift() ?? { text: "Done." };
  };
  return { ...(await withModel(script, use)), asked, last: JSON.stringify(asked.at(-1)?.messages ?? "") };
}

/** The workspace and the storage, for commands without a model. */
export const inPlace = (at: Place) => ["--workspace", at.workspace, "--storage", at.storage];

/** What a run printed as JSON. */
export const eventsOf = (out: string) =>
  out
    .trim()
    .split("\n")
    .map(line => agentEventSchema.parse(JSON.parse(line)));

/** what tools answered so far */
export const said = (request: OfflineRequest): OfflineMessage[] =>
  request.messages.filter(({ role }) => role === "tool");

/** The process id that a command writes into a file of the workspace. */
export async function pidIn(at: Place, name: string): Promise<number> {
  const look = () => /^\d+(?=\n$)/.exec(textOr(join(at.workspace, name)))?.[0];
  return Number(await eventually(`a process id is in ${name}`, look));
}

function textOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // not written yet
    return "";
  }
}
