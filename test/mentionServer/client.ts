/** A real client of the mention server: the bundled program over stdio, and a workspace that answers what it asks. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  createProtocolConnection,
  type Diagnostic,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { builtMentionServer } from "../../scripts/lib/product.mjs";
import {
  filesSchema,
  kindsSchema,
  type LookResult,
  lookSchema,
  mentionMethods,
  type WorkspaceParams,
} from "../../src/shared/mentions/serverProtocol";
import { eventually } from "../fakes/eventually";
import { temporaryFolder } from "../fakes/temporary";
import { allSyntaxes } from "../fixtures/mentions/languages";

export const ROOT = "file:///work/app";

export interface FakeWorkspace {
  folders: WorkspaceParams["folders"];
  comments: WorkspaceParams["comments"];
  ignoreCase: boolean;
  /** root → paths of its files, as the list gives them */
  files: Record<string, string[]>;
  /** what is there beside: `root/path` → kind */
  hidden: Record<string, "file" | "folder">;
  looks: Record<string, LookResult>;
  /** paths in one answer */
  part: number;
  /** Runs before each part of a list is given. */
  beforePart(): Promise<void>;
}

export interface ServerClient {
  connection: ProtocolConnection;
  process: ChildProcess;
  workspace: FakeWorkspace;
  /** every list that was asked for: root and number */
  asked: { root: string; list: number }[];
  /** every question for kinds: the paths */
  kinds: string[][];
  diagnostics: Map<string, Diagnostic[]>;
  /** how many reports came */
  reports(): number;
  log: string[];
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
    ...{ comments: allSyntaxes, ignoreCase: false, files: { [ROOT]: [] }, hidden: {}, looks: {}, part: 2 },
    beforePart: async () => undefined,
    ...options,
  };
  const child = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "pipe"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const asked: ServerClient["asked"] = [];
  const kinds: ServerClient["kinds"] = [];
  const diagnostics = new Map<string, Diagnostic[]>();
  const log: string[] = [];
  let reports = 0;
  answer(connection, workspace, { asked, kinds });
  connection.onNotification("window/logMessage", ({ message }: { message: string }) => void log.push(message));
  connection.onNotification("textDocument/publishDiagnostics", (params: { uri: string; diagnostics: Diagnostic[] }) => {
    reports += 1;
    diagnostics.set(params.uri, params.diagnostics);
  });
  connection.listen();
  const { folders, comments, ignoreCase } = workspace;
  await connection.sendRequest("initialize", {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
    initializationOptions: { folders, comments, ignoreCase },
  });
  await connection.sendNotification("initialized", {});
  return {
    ...{ connection, process: child, workspace, asked, kinds, diagnostics, log, reports: () => reports },
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

function answer(
  connection: ProtocolConnection,
  workspace: FakeWorkspace,
  { asked, kinds }: Pick<ServerClient, "asked" | "kinds">,
): void {
  const lists = new Map<string, { number: number; left: string[] }>();
  connection.onRequest(mentionMethods.files, async (params: unknown) => {
    const { root, list } = filesSchema.parse(params);
    let found = lists.get(root);
    if (found?.number !== list) {
      asked.push({ root, list });
      found = { number: list, left: [...(workspace.files[root] ?? [])] };
      lists.set(root, found);
    }
    await workspace.beforePart();
    const paths = found.left.splice(0, workspace.part);
    return { paths, done: found.left.length === 0 };
  });
  connection.onRequest(mentionMethods.kinds, (params: unknown) => {
    const { places } = kindsSchema.parse(params);
    kinds.push(places.map(({ path }) => path));
    return places.map(({ root, path }) => workspace.hidden[`${root}/${path}`] ?? null);
  });
  connection.onRequest(mentionMethods.look, (params: unknown) => {
    const { root, path, first, lines } = lookSchema.parse(params);
    const look = workspace.looks[`${root}/${path}`] ?? null;
    return look && { ...look, lines: look.lines.slice(first - 1, first - 1 + lines) };
  });
}
