/** Strata as it runs in this VS Code: its exported API, a panel that speaks to it, and the offline model with a script. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { OfflineAnswer, OfflineModel, OfflineRequest } from "../../scripts/offline-model/server.mjs";
import type { StrataApi } from "../../src/extension";
import type { RecordOf } from "../../src/shared/records";
import type { Settings } from "../../src/shared/settings";
import { eventually } from "../fakes/eventually";
import { PanelClient } from "../fakes/panelClient";

/** An answer, or what makes one: it may do what a person does meanwhile. */
type Play = OfflineAnswer | ((request: OfflineRequest) => OfflineAnswer | Promise<OfflineAnswer>);

export interface Strata {
  api: StrataApi;
  panel: PanelClient;
  /** Where the model is, and every request to it since this Strata was started. */
  offline: Pick<OfflineModel, "url" | "requests">;
  /** The next answers of the model. */
  play(...answers: Play[]): void;
  setting<N extends keyof Settings>(name: N, value: Settings[N] | undefined): Promise<void>;
  /** Sends a message and waits for the end of its turn. */
  turn(text: string): Promise<RecordOf<"turnEnd">>;
  /** Opens another panel on what is shown. */
  otherPanel(): Promise<PanelClient>;
  dispose(): Promise<void>;
}

/** What the model is to play, and what it was asked. */
interface Played {
  answers: Play[];
  requests: OfflineModel["requests"];
}

/** One model for all tests of a VS Code: each setting that changes, its address too, takes the editor a tenth of a second. */
class SharedModel {
  private played: Played = { answers: [], requests: [] };
  private server: Promise<Pick<OfflineModel, "url">> | undefined;

  async begin(): Promise<Played & Pick<OfflineModel, "url">> {
    const played: Played = { answers: [], requests: [] };
    this.played = played;
    this.server ??= this.start();
    return { ...played, url: (await this.server).url };
  }

  private async start() {
    const { startOfflineModel } = await import("../../scripts/offline-model/server.mjs");
    return startOfflineModel({
      script: async request => {
        const next = this.played.answers.shift() ?? { text: "The script is over." };
        return typeof next === "function" ? next(request) : next;
      },
      record: request => void this.played.requests.push(request),
    });
  }
}
const shared = new SharedModel();

/** Of the user. What it is already is left alone. */
async function set(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration("strata");
  if (settings.inspect(name)?.globalValue !== value)
    await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

export async function startStrata(mode: Settings["permissions.mode"] = "auto"): Promise<Strata> {
  const extension = vscode.extensions.getExtension<StrataApi>("strata-agent.strata");
  assert.ok(extension);
  const api = await extension.activate();
  const { answers, ...offline } = await shared.begin();
  const usual: Partial<Settings> = {
    "model.baseUrl": offline.url,
    "model.name": "offline-model",
    "permissions.mode": mode,
    "permissions.runEverything": true,
  };
  for (const [name, value] of Object.entries(usual)) await set(name, value);
  const changed = new Set<keyof Settings>();
  const setting: Strata["setting"] = async (name, value) => {
    changed.add(name);
    await set(name, value);
  };
  const { panel: host } = await api.agent();
  const connect = () => new PanelClient(post => host.connect(post));
  const panel = connect();
  await panel.request("open", {});
  await panel.request("newSession", {});
  return {
    ...{ api, panel, offline, setting },
    play: (...more) => void answers.push(...more),
    async turn(text) {
      const seen = panel.records.length;
      await panel.request("submit", { text, delivery: "steer" });
      return eventually("the end of the turn", () => {
        const end = panel.records.slice(seen).find(record => record.kind === "turnEnd");
        return panel.state === "idle" && end?.kind === "turnEnd" ? end : undefined;
      });
    },
    async otherPanel() {
      const other = connect();
      await other.request("open", {});
      return other;
    },
    async dispose() {
      await panel.request("stop", {});
      await eventually("the panel is idle after a stop", () => panel.state === "idle");
      panel.dispose();
      for (const name of changed) await set(name, usual[name]);
    },
  };
}

/** The results of a turn by call id. */
export function resultOf(panel: PanelClient, callId: string): RecordOf<"result"> {
  const record = panel.records.find(candidate => candidate.kind === "result" && candidate.callId === callId);
  assert.ok(record?.kind === "result", `a result of ${callId}`);
  return record;
}

/** A path of the folder that is open. */
export function inWorkspace(path: string): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return join(folder.uri.fsPath, path);
}

export const onDisk = (path: string) => readFile(inWorkspace(path), "utf8");

export async function writeHere(path: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.file(inWorkspace(path)), new TextEncoder().encode(text));
}
