/** Mentions in editors: the index of files and the client of their server. */
import * as vscode from "vscode";
import type { Clock, MentionSearch } from "../core/ports";
import type { MentionHost } from "../vscode/mentions/host";
import { warn } from "../vscode/platform/messages";

export interface Mentions extends MentionSearch {
  /** Resources of MCP servers, for completion. */
  offered(resources: Parameters<MentionHost["setResources"]>[0]): void;
}

export const tellMentionsFail = (error: unknown) => void warn(`Mentions of files do not work: ${error}`);

/** Mentions in editors; their server is started by the first document that needs it. */
export async function startMentions(
  context: vscode.ExtensionContext,
  clock: Pick<Clock, "after" | "steady">,
): Promise<MentionHost> {
  const [{ MentionHost, excludedGlobs: excludes }, { WorkspaceFiles, vscodeRipgrep }] = await Promise.all([
    import("../vscode/mentions/host"),
    import("../node/workspaceFiles"),
  ]);
  const folders = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const disk = new WorkspaceFiles({
    excludes,
    ripgrepPath: () => vscodeRipgrep(vscode.env.appRoot),
    folders: () => folders().flatMap(uri => (uri.scheme === "file" ? [uri.fsPath] : [])),
  });
  const channel = vscode.window.createOutputChannel("Strata Mentions", { log: true });
  const program = context.asAbsolutePath("dist/mentionServer.js");
  const host = new MentionHost({ disk, channel, clock, program });
  context.subscriptions.push(host);
  return host;
}
