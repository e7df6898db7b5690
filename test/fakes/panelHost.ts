/** The panel's host on a whole agent of fakes. */
import { FileError } from "../../src/core/ports";
import type { PanelSurroundings } from "../../src/shared/panelProtocol";
import { createHandlers, type EditorActions } from "../../src/vscode/panel/handlers";
import { PanelHost } from "../../src/vscode/panel/host";
import { Sessions } from "../../src/vscode/panel/sessions";
import { until, type WorldOptions, world } from "./agent";
import { PanelClient } from "./panelClient";

export const surroundings: PanelSurroundings = {
  workspace: "trusted",
  folders: ["app"],
  model: { state: "ready", name: "scripted", address: "nowhere", contextWindow: 200_000, offline: false },
  suggestions: [],
};

export function startHost(options: WorldOptions = {}) {
  /** what `surroundings` waits for, while it is set */
  const slow: { gate?: Promise<void> } = {};
  const agent = world(options);
  const memory: { last?: string } = {};
  const lost: string[] = [];
  const done: string[] = [];
  const pages: { name: string; text: string }[] = [];
  const editor: EditorActions = {
    async openFile(path) {
      if (path === "none.ts") throw new FileError("NOT_FOUND", "There is no none.ts.");
      if (path === "broken.ts") throw new TypeError("x is not a function");
      done.push(`file ${path}`);
    },
    openDiff: async ({ path, diff }) => void done.push(`diff ${path} ${diff.includes("+two")}`),
    openText: async name => void done.push(`text ${name}`),
    openMarkdown: async (name, text) => void pages.push({ name, text }),
    act: action => void done.push(action),
  };
  let refusal: string | undefined;
  const last = {
    get: () => memory.last,
    set(id: string) {
      memory.last = id;
    },
  };
  const open = () => {
    const sessions = new Sessions(agent.ports, last, why => lost.push(why));
    const host = new PanelHost({
      sessions,
      logger: agent.ports.logger,
      surroundings: async () => {
        await slow.gate;
        return surroundings;
      },
      handlers: show => createHandlers({ sessions, editor, whyNot: () => refusal, logger: agent.ports.logger }, show),
    });
    const panel = () => new PanelClient(post => host.connect(post));
    return { sessions, host, panel };
  };
  const refuse = (reason: string) => {
    refusal = reason;
  };
  return { ...agent, ...open(), open, memory, lost, done, pages, refuse, slow };
}

export const ended = (panel: PanelClient) =>
  until(() => (panel.state === "idle" && panel.records.at(-1)?.kind === "turnEnd" ? panel : undefined));
