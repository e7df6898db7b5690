/** The mention server, a process of its own: what the editor asks, answered from the index and the documents that are open. */
import {
  CodeActionKind,
  type Connection,
  createConnection,
  type InitializeResult,
  type Position,
  ProposedFeatures,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import {
  changedSchema,
  filesResultSchema,
  kindsResultSchema,
  type LookParams,
  lookResultSchema,
  mentionMethods as methods,
  movesSchema,
  nearSchema,
  relistSchema,
  resourcesSchema,
  searchSchema,
  type WorkspaceParams,
  workspaceSchema,
} from "../shared/mentions/serverProtocol";
import { completion, search } from "./completion";
import { definition, type HoverDeps, hover, links, Mentions, moved } from "./documents";
import { fixes, problems, Validation } from "./problems";
import { Feed, Workspace } from "./workspace";

/** `@` begins a mention, the others are no letters: the editor would not ask again by itself. A blank ends it, or is quoted. */
const TRIGGERS = ["@", "/", '"', ":", ".", "-", " "];

/** Without a question before garbage is collected. */
const QUIET_MS = 2_000;

const initializeResult: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: TRIGGERS },
    documentLinkProvider: {},
    hoverProvider: true,
    definitionProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
  },
  serverInfo: { name: "strata-mentions" },
};

function after(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

/** Answers on a connection, until it ends. */
function serve(connection: Connection): void {
  const workspace = new Workspace();
  const documents = new TextDocuments(TextDocument);
  const log = (message: string) => connection.console.error(message);
  const mentions = new Mentions(workspace, async params =>
    kindsResultSchema.parse(await connection.sendRequest(methods.kinds, params)),
  );
  const look = async (params: LookParams) => lookResultSchema.parse(await connection.sendRequest(methods.look, params));
  let wakes: (() => void) | undefined;
  // What listing and searching left behind may be most of the memory the process holds.
  const idle = () => {
    wakes?.();
    wakes = after(QUIET_MS, () => void globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "sync" }));
  };
  const changed = () => {
    validation.allLater();
    idle();
  };
  const feed = new Feed({
    workspace,
    log,
    onChange: changed,
    files: async params => filesResultSchema.parse(await connection.sendRequest(methods.files, params)),
  });
  const validation = new Validation({
    ...{ log, after },
    all: () => documents.all(),
    get: uri => documents.get(uri),
    problems: async document => (feed.indexing ? undefined : problems(document, mentions, workspace)),
    publish: (uri, version, diagnostics) => void connection.sendDiagnostics({ uri, version, diagnostics }),
  });
  const follow = (params: WorkspaceParams) => {
    const added = workspace.set(params);
    feed.forget();
    for (const root of added) void feed.list(root);
    validation.allLater();
  };
  let first: WorkspaceParams | undefined;
  connection.onInitialize(({ initializationOptions }) => {
    first = workspaceSchema.parse(initializationOptions);
    return initializeResult;
  });
  // Before that the editor is not to be asked.
  connection.onInitialized(() => first && follow(first));
  connection.onNotification(methods.workspace, params => follow(workspaceSchema.parse(params)));
  connection.onNotification(methods.near, params => workspace.setNear(nearSchema.parse(params)));
  connection.onNotification(methods.resources, params => {
    workspace.resources = resourcesSchema.parse(params).resources;
  });
  connection.onNotification(methods.changed, params => feed.change(changedSchema.parse(params)));
  connection.onNotification(methods.relist, params => {
    for (const root of workspace.around(relistSchema.parse(params).root)) void feed.list(root);
  });
  connection.onRequest(methods.search, params => {
    idle();
    return search(searchSchema.parse(params), workspace, feed);
  });
  connection.onRequest(methods.moves, params => moved(movesSchema.parse(params), workspace));
  answer(connection, documents, { mentions, workspace, look, feed });
  documents.onDidChangeContent(({ document }) => validation.later(document.uri));
  documents.onDidClose(({ document }) => validation.closed(document.uri));
  documents.listen(connection);
}

/** The questions of the Language Server Protocol. Of a document that was closed meanwhile there is nothing to say. */
function answer(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  deps: HoverDeps & { feed: Feed },
): void {
  const { mentions, workspace, feed } = deps;
  type Asked = { textDocument: { uri: string }; position: Position };
  const at = <T>(params: Asked, give: (document: TextDocument, position: Position) => T) => {
    const document = documents.get(params.textDocument.uri);
    return document ? give(document, params.position) : null;
  };
  connection.onCompletion(async (params, token) => {
    const give = () => at(params, (document, position) => completion(document, position, workspace)) ?? null;
    const list = give();
    if (list?.items.length !== 0 || !feed.indexing) return list;
    // Typed before the files were listed: the answer comes with them.
    await feed.listed();
    return token.isCancellationRequested ? null : give();
  });
  connection.onHover(params => at(params, (document, position) => hover(document, position, deps)));
  connection.onDefinition(params =>
    at(params, (document, position) => definition(document, position, mentions, workspace)),
  );
  connection.onDocumentLinks(({ textDocument }) => {
    const document = documents.get(textDocument.uri);
    return document ? links(document, mentions, workspace) : [];
  });
  connection.onCodeAction((params, token) => {
    const document = documents.get(params.textDocument.uri);
    return document ? fixes(document, params, { mentions, workspace, token }) : [];
  });
}

// Its transport is what the process was started with: `--node-ipc`, `--stdio`.
const connection = createConnection(ProposedFeatures.all);
serve(connection);
connection.listen();
