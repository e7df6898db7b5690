/** A real client of the mention server: the bundled program over stdio, and a workspace that answers what it asks. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { builtMentionServer } from "../../scripts/lib/product.mjs";
import {
  type LookResult,
  lookSchema,
  mentionMethods,
  type WorkspaceParams,
} from "../../src/shared/mentions/serverProtocol";
import { eventually } from "../fakes/eventually";
import { temporaryFolder } from "../fakes/temporary";

export const ROOT = "file:///work/app";

export interface FakeWorkspace {
  folders: WorkspaceParams["folders"];
  comments: WorkspaceParams["comments"];
  ignoreCase: boolean;
  /** root → paths of its files, as the list gives them */
  files: Record<string, string[]>;
  /** what is there beside: `root/path` → kind */
  hidden: Record<string, "file" | "folder">;
  looks: Record<string, LookResult[number]>;
  /** paths in one answer */
  part: number;
  /** Runs before each part of a list is given. */
  beforePart(): Promise<void>;
}

export interface ServerClient {
  connection: ProtocolConnection;
  process: ChildProcess;
  workspace: FakeWorkspace;
  /** every question for kinds: the paths */
  looked: string[][];
  log: string[];
  /** Lists a root anew. */
  list(root: string): Promise<void>;
  /** The workspace changed; folders that are new are listed. */
  tell(workspace: Pick<WorkspaceParams, "folders"> & Partial<WorkspaceParams>): Promise<void>;
  open(uri: string, languageId: string, text: string): Promise<void>;
  change(uri: string, version: number, text: string): Promise<void>;
  /** Waits until the index is whole. */
  indexed(): Promise<void>;
  close(): Promise<void>;
}

const built = builtMentionServer(temporaryFolder("mention-server"));

export async function startServer(options: Partial<FakeWorkspace> = {}): Promise<ServerClient> {
  const program = await built;
  const workspace: FakeWorkspace = {
    folders: [{ uri: ROOT, name: "app" }],
    ...{ comments: true, ignoreCase: false, files: { [ROOT]: [] }, hidden: {}, looks: {}, part: 2 },
    beforePart: async () => undefined,
    ...options,
  };
  const child = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const looked: ServerClient["looked"] = [];
  const log: string[] = [];
  answer(connection, workspace, looked);
  connection.onNotification("window/logMessage", ({ message }: { message: string }) => void log.push(message));
  connection.listen();
  const { folders, comments, ignoreCase } = workspace;
  await connection.sendRequest("initialize", {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
    initializationOptions: { workspace: { folders, comments, ignoreCase } },
  });
  await connection.sendNotification("initialized", {});
  const listed = (root: string) => list(connection, workspace, root);
  void Promise.all(folders.map(({ uri }) => listed(uri)));
  return {
    list: listed,
    async tell(told) {
      const sent = { comments: true, ignoreCase: false, ...told };
      await connection.sendNotification(mentionMethods.window, { workspace: sent });
      const added = told.folders.filter(({ uri }) => !workspace.folders.some(known => known.uri === uri));
      workspace.folders = told.folders;
      for (const { uri } of added) await listed(uri);
    },
    ...{ connection, process: child, workspace, looked, log },
    open: (uri, languageId, text) =>
      connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } }),
    change: (uri, version, text) =>
      connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    async indexed() {
      const isIndexing = async () =>
        (await connection.sendRequest<{ indexing: boolean }>(mentionMethods.search, { query: "", limit: 1 })).indexing;
      await eventually("the index is whole", async () => !(await isIndexing()));
    },
    async close() {
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      if (child.exitCode === null) await new Promise(resolve => child.once("exit", resolve));
      connection.dispose();
    },
  };
}

/** Tells a list, as the extension does. */
async function list(connection: ProtocolConnection, workspace: FakeWorkspace, root: string): Promise<void> {
  const left = [...(workspace.files[root] ?? [])];
  let begins: { begins?: true } = { begins: true };
  do {
    try {
      await workspace.beforePart();
    } catch {
      return connection.sendNotification(mentionMethods.files, { root, paths: [], ...begins, ends: "failed" });
    }
    const paths = left.splice(0, workspace.part);
    const ends = left.length === 0 && { ends: "whole" };
    await connection.sendNotification(mentionMethods.files, { root, paths, ...begins, ...ends });
    begins = {};
  } while (left.length > 0);
}

function answer(connection: ProtocolConnection, workspace: FakeWorkspace, looked: ServerClient["looked"]): void {
  connection.onRequest(mentionMethods.look, (params: unknown) => {
    const { places, lines } = lookSchema.parse(params);
    if (!lines) looked.push(places.map(({ path }) => path));
    return places.map(({ root, path }) => {
      const place = `${root}/${path}`;
      const kind = workspace.hidden[place];
      const look = workspace.looks[place] ?? (kind && { kind, size: 0, mtime: 0, lines: [] });
      if (!look || (!lines && !kind)) return null;
      return { ...look, lines: lines ? look.lines.slice(lines.first - 1, lines.first - 1 + lines.most) : [] };
    });
  });
}
