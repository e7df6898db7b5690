/**
 * Files and folders that the person renames or moves in the editor take their mentions along: in documents that are open and
 * in files that are not. The editor asks before it changes anything, and makes it one step of undo with the move.
 */

import * as vscode from "vscode";
import { t } from "../../shared/l10n";
import type { MovesParams, MovesResult } from "../../shared/mentions/serverProtocol";
import { withTimeout } from "../platform/async";

export interface MentionMovesDeps {
  /** Files of the workspace that may mention one of these places or what is in it. */
  mentioning(places: readonly vscode.Uri[], signal: AbortSignal): Promise<vscode.Uri[]>;
  /** documents of that kind may have mentions */
  hasMentions(document: vscode.TextDocument): boolean;
  moves(params: MovesParams): Promise<MovesResult>;
  log(message: string): void;
}

/** More than this are not opened for one move. */
const MAX_DOCUMENTS = 500;
/** How often texts are looked at again that change while they are looked at. */
const TRIES = 5;

/** ms to find the files, and for the server's answer: VS Code moves nothing before. */
const FIND_MS = 20_000;
const ANSWER_MS = 10_000;

const notAll = () => t("Mentions in some files that are not open were not updated");

type Moves = readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[];

export class MentionMoves implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly deps: MentionMovesDeps,
    private readonly findMs = FIND_MS,
  ) {
    this.subscription = vscode.workspace.onWillRenameFiles(event => event.waitUntil(this.edit(event)));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Whatever fails, the move goes on. */
  private async edit({ files, token }: vscode.FileWillRenameEvent): Promise<vscode.WorkspaceEdit | undefined> {
    const controller = new AbortController();
    const cancel = token.onCancellationRequested(() => controller.abort());
    try {
      const documents = await this.documents(files, controller.signal);
      return documents.length > 0 ? await this.editOf(documents, files) : undefined;
    } catch (error) {
      if (!controller.signal.aborted) this.deps.log(t("Mentions of what moved were not updated: {0}", String(error)));
      return undefined;
    } finally {
      cancel.dispose();
    }
  }

  /** Those that are open; of the others, those that are found in time. */
  private async documents(files: Moves, signal: AbortSignal): Promise<vscode.TextDocument[]> {
    const found = vscode.workspace.textDocuments.filter(document => this.isWanted(document));
    const limit = new AbortController();
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      const ended = await withTimeout(
        () => this.findClosed(files, document => found.push(document), either),
        this.findMs,
      );
      if (ended === "late") this.deps.log(t("{0}: they were not found in time.", notAll()));
    } catch (error) {
      signal.throwIfAborted();
      this.deps.log(t("{0}: {1}", notAll(), String(error)));
    } finally {
      limit.abort();
    }
    // What is still being opened comes too late.
    return [...found];
  }

  private async findClosed(
    files: Moves,
    onFound: (document: vscode.TextDocument) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const known = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const uris = await this.deps.mentioning(
      files.map(({ oldUri }) => oldUri),
      signal,
    );
    const closed = uris.filter(uri => !known.has(uri.toString()));
    if (closed.length > MAX_DOCUMENTS) {
      this.deps.log(t("More than {0} files may mention what moves; the others stay as they are.", MAX_DOCUMENTS));
    }
    for (const uri of closed.slice(0, MAX_DOCUMENTS)) {
      signal.throwIfAborted();
      const document = await opened(uri);
      if (document && this.isWanted(document)) onFound(document);
    }
  }

  private isWanted(document: vscode.TextDocument): boolean {
    return this.deps.hasMentions(document) && document.getText().includes("@") && !document.isClosed;
  }

  /** An edit for the texts as they stand when it is handed over. */
  private async editOf(
    documents: readonly vscode.TextDocument[],
    files: Moves,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const moves = files.map(({ oldUri, newUri }) => ({ from: oldUri.toString(), to: newUri.toString() }));
    for (let tries = 0; tries < TRIES; tries++) {
      const sent = new Map(
        documents.map(document => [document.uri.toString(), { document, version: document.version }]),
      );
      const asked = {
        moves,
        documents: documents.map(each => ({
          uri: each.uri.toString(),
          languageId: each.languageId,
          text: each.getText(),
        })),
      };
      const changed = await withTimeout(() => this.deps.moves(asked), ANSWER_MS);
      if (changed === "late") {
        this.deps.log(t("Mentions of what moved were not updated: the mention server did not answer."));
        return undefined;
      }
      if ([...sent.values()].some(({ document, version }) => document.version !== version)) continue;
      const edit = new vscode.WorkspaceEdit();
      for (const { uri, edits } of changed) {
        const document = sent.get(uri)?.document;
        for (const { start, end, text } of document ? edits : []) {
          const range = document && new vscode.Range(document.positionAt(start), document.positionAt(end));
          if (document && range) edit.replace(document.uri, range, text);
        }
      }
      return edit.size > 0 ? edit : undefined;
    }
    this.deps.log(t("Mentions of what moved were not updated: the documents changed all the time."));
    return undefined;
  }
}

/** undefined: it is no text, too large, or gone */
async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}
