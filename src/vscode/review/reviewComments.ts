/**
 * Comments on lines that the agent changed, in the editor's own comment threads. They are kept over a reload until they are
 * sent, all in one message; a thread says when the agent changed its lines.
 */

import * as vscode from "vscode";
import * as z from "zod";
import type { Session } from "../../core/agent/session/session";
import { type Logger, SessionError, StorageError } from "../../core/ground/ports";
import { SerialQueue } from "../../shared/async";
import { defined } from "../../shared/defined";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import type { FileChange } from "../../shared/toolResult";
import { changesIn } from "../../shared/toolTraits";
import type { VSCodeFiles } from "../files/files";
import { mentionPathOf } from "../mentions/near";
import type { Sessions } from "../panel/sessions/sessions";
import { linesOf } from "./changeMarks";
import {
  afterEdit,
  asSent,
  commentsMessage,
  follow,
  type LineComments,
  lineCommentsSchema,
  MAX_COMMENT_CHARACTERS,
  MAX_THREADS,
  withComment,
} from "./lineComments";
import type { Review } from "./review";

interface ReviewCommentsDeps {
  review: Review;
  sessions: Sessions;
  files: VSCodeFiles;
  state: vscode.Memento;
  /** takes a message, as from the composer */
  submit(session: Session, text: string): Promise<void>;
  /** undefined: messages can be sent; else why not */
  whyNot(): string | undefined;
  logger: Logger;
}

const KEPT = "strata.reviewComments";

export class ReviewComments implements vscode.Disposable {
  /** made with the first change to review: it adds a view to VS Code's panel */
  private controller: vscode.CommentController | undefined;
  private readonly threads = new Map<vscode.CommentThread, LineComments>();
  /** What the agent changed is looked at before what was typed: else an answer would pass for typing. */
  private readonly queue = new SerialQueue();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: ReviewCommentsDeps) {
    const { review, sessions, state } = deps;
    const kept = z.array(lineCommentsSchema).safeParse(state.get(KEPT) ?? []);
    this.subscriptions = vscode.Disposable.from(
      review.onDidLook(() => void this.queue.run(async () => this.followReview()).catch(this.failed)),
      sessions.subscribeToAll((_, event) => this.hear(event)),
    );
    for (const thread of kept.data ?? []) this.show(thread);
    if (this.threads.size > 0) this.changed();
  }

  /** @param reply what VS Code gives with the button under a comment that is written */
  async add(reply: unknown): Promise<void> {
    const { thread, text } = reply as vscode.CommentReply;
    if (text.trim() === "") return;
    if (text.length > MAX_COMMENT_CHARACTERS)
      throw new SessionError(t("This comment is too long. Put it into the composer."));
    if (!this.threads.has(thread) && this.threads.size >= MAX_THREADS)
      throw new SessionError(t("There are too many comments. Send or delete some first."));
    const known = this.threads.get(thread) ?? (await this.begin(thread));
    this.set(thread, withComment(known, text));
    this.changed();
  }

  /** @param target a thread, or one of its comments */
  delete(target: unknown): void {
    for (const [thread, known] of this.threads) {
      if (thread === target) this.forget(thread);
      const at = thread.comments.indexOf(target as vscode.Comment);
      if (at < 0) continue;
      const comments = known.comments.filter((_, index) => index !== at);
      if (comments.length === 0) this.forget(thread);
      else this.set(thread, { ...known, comments });
    }
    this.changed();
  }

  /**
   * Sends all that waits, each session what is about its own changes; the one that a person is at comes last, and stays shown.
   * Rejects with SessionError where it cannot, and StorageError: then what was not taken stays.
   */
  async send(): Promise<void> {
    const waiting = Map.groupBy(
      [...this.threads].filter(([, { comments }]) => comments.some(({ sent }) => !sent)),
      ([, { sessionId }]) => sessionId,
    );
    if (waiting.size === 0) throw new SessionError(t("No comment waits. Add one on a changed line first."));
    const reason = this.deps.whyNot();
    if (reason !== undefined) throw new SessionError(reason);
    const here = this.deps.sessions.current?.id;
    const ids = [...waiting.keys()].toSorted((a, b) => Number(isAt(a, here)) - Number(isAt(b, here)));
    for (const id of ids) await this.sendTo(await this.sessionOf(id), waiting.get(id) ?? []);
  }

  private async sendTo(session: Session, threads: readonly [vscode.CommentThread, LineComments][]): Promise<void> {
    const before = threads.map(([thread, known]) => ({ thread, known, sent: asSent(known) }));
    const message = commentsMessage(
      before.map(({ known }) => known),
      t("Comments on your changes:"),
    );
    // Before it is taken: the agent may be quicker than this resolves.
    for (const { thread, sent } of before) this.set(thread, sent);
    this.changed();
    await this.deps.submit(session, message).catch((error: unknown) => {
      for (const { thread, known, sent } of before) if (this.threads.get(thread) === sent) this.set(thread, known);
      this.changed();
      throw error;
    });
  }

  /** The session is shown then: its answer is what a person waits for. Where it was deleted, the one that is shown takes them. */
  private async sessionOf(id: string | undefined): Promise<Session> {
    const { sessions } = this.deps;
    if (id === undefined || id === sessions.current?.id) return sessions.show();
    return sessions.openById(id).catch((error: unknown) => {
      if (error instanceof StorageError && error.code === "NOT_FOUND") return sessions.show();
      throw error;
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.controller?.dispose();
  }

  private async begin(thread: vscode.CommentThread): Promise<LineComments> {
    const { uri } = thread;
    const document = await vscode.workspace.openTextDocument(uri);
    const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
    const lines = textLines(document).slice(start.line, end.line + 1);
    const path = mentionPathOf(uri, this.deps.files);
    const sessionId = this.deps.review.session?.id;
    const about = { uri: uri.toString(), path, first: start.line, lines };
    return { ...about, comments: [], answered: false, ...defined({ sessionId }) };
  }

  private show(known: LineComments): void {
    const range = new vscode.Range(known.first, 0, known.first + Math.max(0, known.lines.length - 1), 0);
    this.set(this.control().createCommentThread(vscode.Uri.parse(known.uri), range, []), known);
  }

  private set(thread: vscode.CommentThread, known: LineComments): void {
    this.threads.set(thread, known);
    const author = { name: t("You") };
    thread.comments = known.comments.map(({ text, sent }) => ({
      body: text,
      mode: vscode.CommentMode.Preview,
      author,
      label: sent ? t("Sent") : t("Not sent yet"),
      contextValue: sent ? "sent" : "waiting",
    }));
    thread.label = known.answered ? t("Changed by Strata") : t("Comment to Strata");
    thread.state = known.answered ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    if (known.answered) thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    const range = new vscode.Range(known.first, 0, known.first + Math.max(0, known.lines.length - 1), 0);
    if (!thread.range?.isEqual(range)) thread.range = range;
  }

  private forget(thread: vscode.CommentThread): void {
    this.threads.delete(thread);
    thread.dispose();
  }

  /** Kept at once: what was written must survive a reload. */
  private changed(): void {
    const all = [...this.threads.values()];
    const waiting = all.some(({ comments }) => comments.some(({ sent }) => !sent));
    void vscode.commands.executeCommand("setContext", "strata.commentsWait", waiting);
    void this.deps.state.update(KEPT, all.length > 0 ? all : undefined).then(undefined, this.failed);
  }

  private control(): vscode.CommentController {
    if (this.controller) return this.controller;
    const controller = vscode.comments.createCommentController("strata.review", t("Strata Review"));
    controller.options = { prompt: t("Comment for Strata"), placeHolder: t("What should be different here?") };
    controller.commentingRangeProvider = {
      provideCommentingRanges: async document => {
        const found = await this.deps.review.changesOf(document);
        return found?.changes.map(change => linesOf(document, change)) ?? [];
      },
    };
    this.controller = controller;
    return controller;
  }

  private hear(event: AgentEvent): void {
    const changes = event.type === "record" ? changesIn(event.record) : [];
    if (this.threads.size > 0 && changes.length > 0) this.queue.run(() => this.followEdits(changes)).catch(this.failed);
  }

  private async followEdits(changes: readonly FileChange[]): Promise<void> {
    for (const [thread, known] of this.threads) {
      const ref = await this.deps.files.refIfAny(thread.uri);
      const edit = changes.find(({ uri }) => uri === ref?.uri);
      if (edit && this.threads.get(thread) === known) this.set(thread, afterEdit(known, edit.diff));
    }
    this.changed();
  }

  /** Typing moves lines; and what is answered goes with the review of its file. */
  private followReview(): void {
    if (this.deps.review.files.length > 0) this.control();
    if (this.threads.size === 0) return;
    const documents = new Map(vscode.workspace.textDocuments.map(document => [document.uri.toString(), document]));
    const reviewed = new Set(this.deps.review.files.map(({ uri }) => vscode.Uri.parse(uri).toString()));
    for (const [thread, known] of this.threads) {
      const document = documents.get(known.uri);
      const isReviewed = !isAt(known.sessionId, this.deps.review.session?.id) || reviewed.has(known.uri);
      if (known.answered && !isReviewed) this.forget(thread);
      else if (document && !known.answered) this.set(thread, follow(known, textLines(document)));
    }
    this.changed();
  }

  private readonly failed = (error: unknown) =>
    this.deps.logger.log("error", "comments on changes could not be kept in step", { error: String(error) });
}

/** What nobody knows the session of is about the one that is shown. */
const isAt = (id: string | undefined, shown: string | undefined) => id === undefined || id === shown;

const textLines = (document: vscode.TextDocument) => document.getText().split(/\r\n|\r|\n/);
