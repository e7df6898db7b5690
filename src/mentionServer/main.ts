/**
 * The mention server, a process of its own: what the editor asks, answered from the index and the documents that are open.
 * It has no file system: the extension tells it lists, so ignore rules and unsaved text count as everywhere else.
 */

import {
  type Connection,
  createConnection,
  type InitializeResult,
  type Position,
  ProposedFeatures,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { loadTranslation } from "../shared/l10n";
import {
  filesSchema,
  type LookParams,
  lookResultSchema,
  mentionMethods as methods,
  searchSchema,
  translationSchema,
  windowSchema,
} from "../shared/mentions/serverProtocol";
import { completion, foundItems } from "./completion";
import { definition, type HoverDeps, hover, links, Mentions } from "./documents";
import { Workspace } from "./workspace";

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
  const look = async (params: LookParams) => lookResultSchema.parse(await connection.sendRequest(methods.look, params));
  const mentions = new Mentions(workspace, look);
  let wakes: (() => void) | undefined;
  // What listing and searching left behind may be most of the memory the process holds.
  const idle = () => {
    wakes?.();
    wakes = after(QUIET_MS, () => void globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "sync" }));
  };
  connection.onInitialize(({ initializationOptions }) => {
    loadTranslation(translationSchema.parse(initializationOptions).translation);
    workspace.follow(windowSchema.parse(initializationOptions));
    return initializeResult;
  });
  connection.onNotification(methods.window, params => workspace.follow(windowSchema.parse(params)));
  connection.onNotification(methods.files, params => {
    const part = filesSchema.parse(params);
    workspace.take(part);
    if (part.ends) idle();
  });
  connection.onRequest(methods.search, params => {
    idle();
    const { query, limit } = searchSchema.parse(params);
    return { items: foundItems(query, limit, workspace), indexing: workspace.indexing };
  });
  answer(connection, documents, { mentions, workspace, look });
  documents.listen(connection);
}

/** The questions of the Language Server Protocol. Of a document that was closed meanwhile there is nothing to say. */
function answer(connection: Connection, documents: TextDocuments<TextDocument>, deps: HoverDeps): void {
  const { mentions, workspace } = deps;
  type Asked = { textDocument: { uri: string }; position: Position };
  const at = <T>(params: Asked, give: (document: TextDocument, position: Position) => T) => {
    const document = documents.get(params.textDocument.uri);
    return document ? give(document, params.position) : null;
  };
  connection.onCompletion(async (params, token) => {
    const give = () => at(params, (document, position) => completion(document, position, workspace)) ?? null;
    const list = give();
    if (list?.items.length !== 0 || !workspace.indexing) return list;
    // Typed before the files were listed: the answer comes with them.
    await workspace.allListed();
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
}

// Its transport is what the process was started with: `--node-ipc`, `--stdio`.
const connection = createConnection(ProposedFeatures.all);
serve(connection);
connection.listen();
