/**
 * Proposed edits in VS Code's diff editor: the file on the left, the editable proposal on the right. Accepting an edit, in the
 * editor or in the panel, takes the text on the right; the tab closes with the question.
 */
import * as vscode from "vscode";
import type { Session } from "../../../core/agent/session/session";
import { isNotebookPath } from "../../../core/changes/edits/notebook";
import { isSameText } from "../../../core/changes/edits/proposalRevision";
import { type Clock, type FileRef, type Logger, SessionError } from "../../../core/ground/ports";
import { fileChange } from "../../../core/ground/text/diff";
import type { ApprovalAnswer } from "../../../shared/approval";
import { SerialQueue } from "../../../shared/async";
import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import { fileName } from "../../../shared/paths";
import type { RecordOf } from "../../../shared/records";
import type { Settings } from "../../../shared/settings";
import { visibleLine } from "../../../shared/shown";
import type { FileChange } from "../../../shared/toolResult";
import { isUnsaved, tabsOf } from "../../editor/documents";
import { logged } from "../../platform/async";
import type { Sessions } from "../sessions/sessions";
import { closedProposal, PROPOSAL_SCHEME, type ProposalFiles, proposalInTab, proposalUri } from "./proposalFiles";

interface EditProposalsDeps {
  sessions: Sessions;
  files: ProposalFiles;
  /** how the editor names a file */
  uriOf(ref: FileRef): vscode.Uri;
  /** `strata.edits.review` */
  review(): Settings["edits.review"];
  logger: Logger;
  clock: Clock;
}

/** An edit that waits for its answer, and what the person made of it. */
interface DiffTab {
  session: Session;
  approvalId: string;
  callId: string;
  /** the file as it stands; of a new file, nothing */
  left: vscode.Uri;
  right: vscode.Uri;
  title: string;
  /** the proposal as the editor was given it; undefined: it was not yet */
  original?: string;
  /** calls off what is to be told of the typing in it */
  telling?: () => void;
}

/** Typing is told to the panel after such a pause, ms. */
const PAUSE_MS = 150;

/** Who typed in an editor so many ms ago is not interrupted by a tab that opens by itself. */
export const TYPING_MS = 5_000;

export class EditProposals implements vscode.Disposable {
  /** by the id of the question */
  private readonly drafts = new Map<string, DiffTab>();
  /** Tabs open and close one after the other. */
  private readonly queue = new SerialQueue();
  private readonly changed = new vscode.EventEmitter<{ approvalId: string; change: FileChange }>();
  /** The person changed a proposal: told once they pause. */
  readonly onDidRevise = this.changed.event;
  private typedAt = Number.NEGATIVE_INFINITY;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: EditProposalsDeps) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      deps.sessions.subscribeToAll((session, event) => this.hear(session, event)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.followTyping(document)),
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        if (kind !== vscode.TextEditorSelectionChangeKind.Keyboard) return;
        if (textEditor.document.uri.scheme !== PROPOSAL_SCHEME) this.typedAt = this.deps.clock.steady();
      }),
    );
  }

  /** Brings the diff editor of an open question to the front, with what was typed there. Rejects with SessionError. */
  async open(session: Session, approvalId: string): Promise<void> {
    const draft = this.drafts.get(approvalId) ?? this.add(session, approvalId);
    if (!draft) throw new SessionError(t("This question is closed, or its change can only be shown in the panel."));
    await this.queue.run(() => this.show(draft, { focus: true }));
  }

  /** What the person made of a proposal; undefined: nothing was changed. */
  textOf(approvalId: string): string | undefined {
    const draft = this.drafts.get(approvalId);
    if (draft?.original === undefined) return undefined;
    const text = draftDocument(draft)?.getText() ?? this.deps.files.textOf(draft.right);
    return text === undefined || isSameText(text, draft.original) ? undefined : text;
  }

  /**
   * Answers from the diff editor.
   * @param resource the proposal that is meant; anything else: the one in the active editor
   * @throws SessionError, SessionError where it is not open any more
   */
  answer(resource: unknown, decision: ApprovalAnswer["decision"]): void {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    const uri = resource instanceof vscode.Uri && isProposal(resource) ? resource : active && proposalInTab(active);
    const draft = [...this.drafts.values()].find(({ right }) => right.toString() === uri?.toString());
    if (!draft) throw new SessionError(closedProposal());
    const seen = decision === "allow" ? { seen: true as const } : {};
    draft.session.answer(draft.approvalId, { decision, scope: "once", ...seen }, this.textOf(draft.approvalId));
  }

  dispose(): void {
    this.subscriptions.dispose();
    // What a person typed outlives the window: VS Code brings such a tab back.
    for (const draft of this.drafts.values()) {
      const document = draftDocument(draft);
      if (!document || !isUnsaved(document)) this.end(draft);
    }
  }

  private hear(session: Session, event: AgentEvent): void {
    if (event.type === "state" && this.deps.sessions.isShown(session)) this.showAsked(session);
    if (event.type !== "record") return;
    const { record } = event;
    if (record.kind === "approval") this.followQuestion(session, record);
    // Not before the edit was made: with the tab, VS Code would close the document that is being edited.
    if (record.kind === "result") this.endAll(session, draft => draft.callId === record.callId);
    if (record.kind === "turnEnd") this.endAll(session);
  }

  private followTyping({ uri }: vscode.TextDocument): void {
    const draft = isProposal(uri) && [...this.drafts.values()].find(({ right }) => right.toString() === uri.toString());
    if (!draft || draft.original === undefined) return;
    draft.telling?.();
    draft.telling = this.deps.clock.after(PAUSE_MS, () => this.tellRevised(draft));
  }

  private tellRevised({ session, approvalId, right }: DiffTab): void {
    const proposal = session.proposal(approvalId);
    const text = this.textOf(approvalId) ?? proposal?.after;
    if (!proposal || text === undefined || isNotebookPath(right.path)) return;
    this.changed.fire({ approvalId, change: fileChange(proposal.ref, proposal.before, text) });
  }

  private followQuestion(session: Session, { approvalId, action, answer }: RecordOf<"approval">): void {
    if (answer?.decision === "allow") return;
    if (!answer && this.deps.sessions.isShown(session)) this.showUnasked(this.add(session, approvalId));
    // Refused, or asked anew: the tab of the question before goes.
    const goes = (draft: DiffTab) => draft.approvalId !== approvalId || answer !== undefined;
    this.endAll(session, draft => draft.callId === action.callId && goes(draft));
  }

  /** What was asked while another session was shown. */
  private showAsked(session: Session): void {
    for (const approvalId of session.history.conversation.asked.keys())
      if (!this.drafts.has(approvalId)) this.showUnasked(this.add(session, approvalId));
  }

  /** undefined: it is not open, or no text */
  private add(session: Session, approvalId: string): DiffTab | undefined {
    const proposal = session.proposal(approvalId);
    const callId = session.history.conversation.asked.get(approvalId)?.callId;
    if (!proposal || callId === undefined) return undefined;
    const { ref, before } = proposal;
    // In VS Code's editor for notebooks, what is typed is in no text document: their text is shown, and no more.
    const isNotebook = isNotebookPath(ref.path);
    const path = isNotebook ? `${ref.path}.json` : ref.path;
    const right = proposalUri(approvalId, path);
    const left = before === null || isNotebook ? proposalUri(`${approvalId}-before`, path) : this.deps.uriOf(ref);
    const name = visibleLine(fileName(ref.path));
    const title = isNotebook
      ? t("{0}: proposed by Strata (read-only: allow or deny it)", name)
      : t("{0}: proposed by Strata (edit it, then allow)", name);
    const draft: DiffTab = { session, approvalId, callId, left, right, title };
    this.drafts.set(approvalId, draft);
    return draft;
  }

  /** Brings its tab up. */
  private async show(draft: DiffTab, { focus }: { focus: boolean }): Promise<void> {
    const proposal = draft.session.proposal(draft.approvalId);
    if (!proposal) return;
    if (draft.original === undefined) {
      const options = { isReadOnly: isNotebookPath(proposal.ref.path) };
      if (isProposal(draft.left)) await this.deps.files.put(draft.left, proposal.before ?? "", options);
      draft.original = await this.deps.files.put(draft.right, proposal.after, options);
    }
    await showDiff(draft, focus);
  }

  private showUnasked(draft: DiffTab | undefined): void {
    if (!draft) return;
    if (this.deps.review() !== "editor" || this.deps.clock.steady() - this.typedAt < TYPING_MS) return;
    this.nextOrLog(async () => {
      if (this.deps.sessions.isShown(draft.session)) await this.show(draft, { focus: false });
      // It opens with its session.
      else if (draft.original === undefined) this.drafts.delete(draft.approvalId);
    });
  }

  private endAll(session: Session, which: (draft: DiffTab) => boolean = () => true): void {
    for (const draft of this.drafts.values()) if (draft.session === session && which(draft)) this.end(draft);
  }

  private end(draft: DiffTab): void {
    this.drafts.delete(draft.approvalId);
    this.nextOrLog(async () => {
      await close(draft);
      for (const uri of [draft.right, draft.left]) if (isProposal(uri)) this.deps.files.remove(uri);
    });
  }

  private nextOrLog(task: () => Promise<void>): void {
    const failed = logged(this.deps.logger, "warning", "the editor of a proposal could not be opened or closed");
    this.queue.run(task).catch(failed);
  }
}

const isProposal = (uri: vscode.Uri) => uri.scheme === PROPOSAL_SCHEME;

const draftDocument = ({ right }: DiffTab): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === right.toString());

/** Not as a preview: that would take the place of one that the person looks at, and be taken by the next. */
async function showDiff(draft: DiffTab, focus: boolean): Promise<void> {
  const viewColumn = tabsOf(draft.right)[0]?.group.viewColumn;
  const options = { preview: false, preserveFocus: !focus, ...(viewColumn === undefined ? {} : { viewColumn }) };
  await vscode.commands.executeCommand("vscode.diff", draft.left, draft.right, draft.title, options);
}

/** Without a question whether to save: what was typed is saved where it is, in memory. */
async function close(draft: DiffTab): Promise<void> {
  const document = draftDocument(draft);
  if (document && isUnsaved(document)) await document.save();
  const tabs = tabsOf(draft.right);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
