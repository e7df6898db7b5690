/** A whole agent on real files: `app`, its workspace, and `outside` beside it, in a temporary folder. */

import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { createSession } from "../../src/core/agent/session/openSession";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import type { AgentEvent } from "../../src/shared/events";
import { last, runTurn, type WorldOptions, world } from "./agent";
import { eventually } from "./eventually";
import { putFile, temporaryFolder } from "./temporary";

type Call = [name: string, input: { [key: string]: string | number | boolean }];

/** Runs calls one by one on files of a workspace (`link:target` is a link) and gives what the model reads. */
export async function callsOnDisk(files: Record<string, string | Uint8Array>, calls: readonly Call[]) {
  const agent = await startOnDisk({ mode: "auto" });
  try {
    for (const [path, content] of Object.entries(files)) {
      const file = agent.at(path.startsWith("outside/") ? path : `app/${path}`);
      await mkdir(dirname(file), { recursive: true });
      const target = typeof content === "string" && /^link:(.*)$/.exec(content)?.[1];
      await (typeof target === "string" ? symlink(target, file) : writeFile(file, content));
    }
    const texts: string[] = [];
    for (const [name, input] of calls) {
      agent.models.play({ calls: [{ name, input }] }, { text: "Done." });
      await runTurn(agent.session, "go");
      texts.push(last(agent.session, "result").forms.shown);
    }
    const entries = await readdir(agent.at("app"), { recursive: true, withFileTypes: true });
    const there = entries.map(({ name, parentPath }) => relative(agent.at("app"), join(parentPath, name))).sort();
    const first = await readFile(agent.at(`app/${Object.keys(files)[0]}`)).catch(() => Buffer.of());
    return { texts, there, first };
  } finally {
    await agent.dispose();
  }
}

/** @param paths of `options.files` begin with `app/` or `outside/` */
export async function startOnDisk({ files: texts = {}, ...options }: WorldOptions = {}) {
  const folder = temporaryFolder("agent");
  const at = (path: string) => join(folder, path);
  for (const path of ["app", "outside"]) await mkdir(at(path));
  for (const [path, text] of Object.entries(texts)) putFile(at(path), text);
  const agent = world(options);
  const files = new NodeFiles([at("app")]);
  const search = new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots: () => files.roots });
  const session = await createSession({ ...agent.ports, files, search });
  const events: AgentEvent[] = [];
  session.subscribe(event => events.push(event));
  const asked = () => eventually("it asks", () => session.state === "asking" && last(session, "approval"));
  return {
    ...{ session, events, at, models: agent.models },
    /** the question that stands */
    asked,
    /** Answers it. @returns what was asked */
    async answer(decision: "allow" | "deny", scope: "once" | "session" = "once") {
      const { approvalId, action } = await asked();
      session.answer(approvalId, { decision, scope });
      const isOver = () => session.state !== "asking" || last(session, "approval").approvalId !== approvalId;
      await eventually("the answer is taken", () => isOver());
      return action;
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
