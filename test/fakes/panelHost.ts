/** The panel's host on a whole agent of fakes. */

import type { AgentPorts } from "../../src/core/agent/session/openSession";
import { FileError, type Files, SessionError } from "../../src/core/ground/ports";
import { SessionSearch } from "../../src/core/log/sessionSearch";
import { nodeClock } from "../../src/node/system";
import type { Draft, PanelSurroundings } from "../../src/shared/panelSnapshot";
import type { MentionDeps } from "../../src/vscode/panel/composer/mentionHandlers";
import type { HandlerDeps } from "../../src/vscode/panel/handlerContext";
import { createHandlers } from "../../src/vscode/panel/handlers";
import { type PanelConnection, PanelHost } from "../../src/vscode/panel/host/panelHost";
import { Drafts } from "../../src/vscode/panel/sessions/drafts";
import { Sessions } from "../../src/vscode/panel/sessions/sessions";
import type { McpViewDeps } from "../../src/vscode/panel/tools/mcpHandlers";
import type { ToolsDeps } from "../../src/vscode/panel/tools/tools";
import { type WorldOptions, world } from "./agent";
import { eventually } from "./eventually";
import { mcpView } from "./mcpView";
import { PanelClient } from "./panelClient";

export const surroundings: PanelSurroundings = {
  workspace: "trusted",
  folders: ["app"],
  model: { state: "ready", name: "scripted", address: "nowhere", contextWindow: 200_000, offline: false },
};

type HostOptions = WorldOptions & Partial<Pick<HandlerDeps, "mcp">> & Pick<ToolsDeps, "hooks">;

export function startHost({ mcp = mcpView().deps, hooks, ...options }: HostOptions = {}) {
  /** what `surroundings` waits for, while it is set */
  const slow: { gate?: Promise<void> } = {};
  /** how single looks at the surroundings go: what they wait for, and the model that they find */
  const around: { next: { wait: Promise<void>; model: PanelSurroundings["model"] }[] } = { next: [] };
  const agent = world(options);
  /** whether a person can see the side bar */
  const sight = { side: true };
  const memory: { last?: string } = {};
  const lost: string[] = [];
  const done: string[] = [];
  const diffs: { before: string | null | undefined; after: string | null | undefined }[] = [];
  const pages: { name: string; text: string }[] = [];
  const texts: [name: string, text: string][] = [];
  const editor: HandlerDeps["editor"] = {
    async openFile(path) {
      if (path === "none.ts") throw new FileError("NOT_FOUND", "There is no none.ts.");
      if (path === "broken.ts") throw new TypeError("x is not a function");
      done.push(`file ${path}`);
    },
    openDiff: async ({ path, diff, states }) => {
      diffs.push({ before: states?.before, after: states?.after });
      done.push(`diff ${path} ${diff.includes("+two")}`);
    },
    openTurnDiff: async (since, { path, before, diffs: known }) =>
      void done.push(`turn ${path} (${since}) ${before} ${known.length}`),
    openTurnDiffs: async (title, files) => void done.push(`${title}: ${files.map(({ path }) => path).join(", ")}`),
    async openText(name, text) {
      done.push(`text ${name}`);
      texts.push([name, text]);
    },
    openMarkdown: async (name, text) => void pages.push({ name, text }),
    openTask: ({ what: { taskId } }) => void done.push(`terminal of ${taskId}`),
    openTerminal: async (command, cwd) => void done.push(`terminal ${command} in ${cwd}`),
    act: action => void done.push(action),
  };
  /** what a person made of the proposal of a question */
  const typed = new Map<string, string>();
  const proposals: HandlerDeps["proposals"] = {
    async open(session, approvalId) {
      if (!session.proposal(approvalId)) throw new SessionError("It is not open any more.");
      done.push(`proposal ${approvalId}`);
    },
    textOf: approvalId => typed.get(approvalId),
  };
  const mentions = mentionsOf(agent.ports.files);
  const home = () => "/ws/app";
  let refusal: string | undefined;
  const last = {
    get: () => memory.last,
    set(id: string) {
      memory.last = id;
    },
  };
  const kept = new Map<string, unknown>();
  const memento = {
    keys: () => [],
    get: <T>(key: string) => kept.get(key) as T,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as ConstructorParameters<typeof Drafts>[0];
  const open = () => {
    const drafts = new Drafts(memento);
    const sessions = new Sessions(agent.ports, {
      ...{ last, drafts, onLost: why => lost.push(why) },
      side: { reveal: async () => void done.push("reveal"), inSight: () => sight.side },
    });
    const list: HandlerDeps["list"] = {
      ...listDeps(agent.ports, sessions, done),
      changed: () => host.sendSessionsChanged(),
      async turned(ids) {
        for (const id of ids) {
          const shown = sessions.placeOf(id)?.session;
          if (shown) await host.sendSnapshot(shown);
        }
      },
    };
    const host = new PanelHost({
      sessions,
      ...{ logger: agent.ports.logger, clock: nodeClock },
      surroundings: async () => {
        await slow.gate;
        const look = around.next.shift();
        await look?.wait;
        return look ? { ...surroundings, model: look.model } : surroundings;
      },
      draftOf: id => drafts.of(id) as Draft | undefined,
      keepDraft: (id, draft) => drafts.keep(id, draft),
      handlers: at =>
        createHandlers(
          {
            ...{ sessions, editor, proposals, mentions, mcp, home, logger: agent.ports.logger },
            tools: { ...toolsOf(agent.ports, mcp, sessions), hooks },
            whyNot: () => refusal,
            plans: {
              open: async (_, key) => void done.push(`open plan ${key}`),
              carryOut: async (session, key, mode) => {
                done.push(`carry out ${key}`);
                await session.plans.carryOut(session.plans.newest?.text ?? "", mode);
              },
              sendBack: async (_, key) => void done.push(`send back ${key}`),
            },
            submit: (session, text, delivery) => session.submit(text, delivery),
            start: startDeps,
            pageFocus: focused => done.push(`focus ${focused}`),
            keepDraft(id, draft) {
              drafts.keep(id, draft);
              done.push(`draft ${draft.draft}`);
            },
            list,
            copiedFrom: () => undefined,
          },
          at,
        ),
    });
    const panel = () => new PanelClient(post => host.connect(post));
    /** a panel in a tab, which remembers its session there */
    const tab = (kept: { id?: string; title?: string } = {}) => {
      const remembered = {
        get: () => kept.id,
        set(id: string) {
          kept.id = id;
        },
      };
      const signs = { reveal: async () => void done.push(`reveal ${kept.id}`), inSight: () => true };
      const onTitle = (title: string) => {
        kept.title = title;
      };
      const shows = { last: remembered, tab: signs, onTitle };
      let connection: PanelConnection | undefined;
      const client = new PanelClient(post => {
        connection = host.connect(post, shows);
        return connection;
      });
      return Object.assign(client, { kept, link: () => connection });
    };
    return { sessions, host, panel, tab, drafts };
  };
  const refuse = (reason: string) => {
    refusal = reason;
  };
  return { ...agent, ...open(), open, memory, lost, done, diffs, typed, pages, texts, refuse, slow, sight, around };
}

/** @param done what was asked of the editor */
function listDeps(
  { storage, clock }: Pick<ReturnType<typeof world>["ports"], "storage" | "clock">,
  sessions: Sessions,
  done: string[],
): HandlerDeps["list"] {
  return {
    ...{ sessions, storage },
    search: new SessionSearch({ storage, clock, list: () => sessions.list() }),
    duplicate: async id => `${id}-copy`,
    exportSession: async id => void done.push(`export ${id}`),
    mayPurge: async title => done.push(`may ${title} go?`) > 0 && !title.includes("keep"),
    complain: error => void done.push(String(error)),
    openTab: id => done.push(`tab ${id}`) > 0,
    changed: () => undefined,
    turned: async () => undefined,
  };
}

/** Over what an agent has. */
const toolsOf = (ports: AgentPorts, { servers }: McpViewDeps, sessions: Sessions): ToolsDeps => ({
  ...{ ...ports, servers, session: () => sessions.show(), home: () => undefined },
  trusted: () => ports.surroundings.trusted(),
  bind: async (_, change) => {
    const all = ports.settings.get();
    all["permissions.bindings"] = change(all["permissions.bindings"]);
  },
});

/** No model but the one in use, nothing known of the workspace. */
const startDeps: HandlerDeps["start"] = {
  ways: async () => ({ editor: [], local: [] }),
  work: async () => ({}),
};

/** Over these files; nothing is found. */
function mentionsOf(files: Files): MentionDeps {
  return {
    files,
    search: { search: async () => ({ items: [], indexing: false }) },
    activeFile: () => undefined,
    refOf: place => files.resolve(place),
  };
}

export const ended = (panel: PanelClient) =>
  eventually("the turn has ended", () => panel.state === "idle" && panel.records.at(-1)?.kind === "turnEnd" && panel);
