/** Follow the agent: while it is on, the editor shows what the agent reads and changes, beside what the person works on. */
import * as vscode from "vscode";
import type { Logger } from "../../core/ground/ports";
import type { AgentEvent } from "../../shared/events";
import { t } from "../../shared/l10n";
import type { VSCodeFiles } from "../files/files";
import { type FollowedPlace, followedPlace } from "./followedPlace";
import type { Sessions } from "./sessions";

const FOLLOW = "strata.followAgent";

interface FollowDeps {
  sessions: Pick<Sessions, "subscribe">;
  files: Pick<VSCodeFiles, "refIfAny" | "documents">;
  /** remembers it, for this workspace */
  state: vscode.Memento;
  logger: Logger;
}

/** It never takes the focus, and never the place of what the person keeps open; what they open themselves ends it for the turn. */
export class FollowAgent implements vscode.Disposable {
  /** the person opened something: until the next turn, or until they ask for it */
  private paused = false;
  /** the document that was opened last, by its URI */
  private own: string | undefined;
  private next: FollowedPlace | undefined;
  private showing = false;
  private readonly sign = vscode.window.createStatusBarItem("strata.follow", vscode.StatusBarAlignment.Left);
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: FollowDeps) {
    this.sign.name = t("Strata: following the agent");
    this.sign.text = `$(debug-pause) ${t("Following paused")}`;
    this.sign.tooltip = t("You opened a file, so the editor stays there. Click to follow the agent again.");
    this.sign.command = FOLLOW;
    const unsubscribe = deps.sessions.subscribe((_, event) => this.onEvent(event));
    this.subscriptions = vscode.Disposable.from(
      this.sign,
      new vscode.Disposable(unsubscribe),
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => this.onOpened(opened)),
    );
    this.tell();
  }

  get on(): boolean {
    return this.deps.state.get(FOLLOW) === true;
  }

  set(on: boolean): void {
    void this.deps.state.update(FOLLOW, on);
    this.paused = false;
    this.tell();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private tell(): void {
    void vscode.commands.executeCommand("setContext", "strata.following", this.on);
    if (this.on && this.paused) this.sign.show();
    else this.sign.hide();
  }

  private onEvent(event: AgentEvent): void {
    if (!this.on) return;
    if (event.type === "state" && event.state === "idle" && this.paused) {
      this.paused = false;
      this.tell();
    }
    if (event.type !== "record" || event.record.kind !== "result" || this.paused) return;
    this.next = followedPlace(event.record) ?? this.next;
    void this.showNext();
  }

  /**
   * A tab of the person's: what shows no file (a diff to look at, a page) is none, nor is one that stands behind another: VS Code
   * opens so what is changed and takes long to be saved.
   */
  private onOpened(tabs: readonly vscode.Tab[]): void {
    if (!this.on || this.paused || this.showing) return;
    const isTheirs = tabs.some(
      ({ input, isActive }) => isActive && input instanceof vscode.TabInputText && input.uri.toString() !== this.own,
    );
    if (!isTheirs) return;
    this.paused = true;
    this.next = undefined;
    this.tell();
  }

  /** One after the other; what came meanwhile is shown last, and what came before that is left out. */
  private async showNext(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    while (this.next !== undefined) {
      const place = this.next;
      this.next = undefined;
      try {
        await this.show(place);
      } catch (error) {
        // No text, or gone again: the agent goes on, and so does this.
        this.deps.logger.log("info", "a file was not followed", { uri: place.uri, error: String(error) });
      }
    }
    this.showing = false;
  }

  private async show({ uri: name, first, last }: FollowedPlace): Promise<void> {
    const ref = await this.deps.files.refIfAny(vscode.Uri.parse(name));
    if (ref === undefined) return;
    const uri = this.deps.files.documents.uriOf(ref);
    const lines = new vscode.Range(first - 1, 0, last - 1, 0);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    // The person is in it: it is not scrolled under their hands.
    if (visible !== undefined && visible === vscode.window.activeTextEditor && this.own !== uri.toString()) return;
    const before = this.own;
    const document = await vscode.workspace.openTextDocument(uri);
    this.own = uri.toString();
    const editor =
      visible ??
      (await vscode.window.showTextDocument(document, {
        preview: true,
        preserveFocus: true,
        viewColumn: this.column(before),
      }));
    editor.revealRange(lines, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    if (before !== undefined && before !== this.own) await closeLeft(before);
  }

  /** Where it went before; else beside what is open. */
  private column(before: string | undefined): vscode.ViewColumn {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const group = all.find(({ activeTab }) => before !== undefined && uriOf(activeTab) === before);
    return group?.viewColumn ?? (activeTabGroup.tabs.length > 0 ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
  }
}

const uriOf = (tab: vscode.Tab | undefined) =>
  tab?.input instanceof vscode.TabInputText ? tab.input.uri.toString() : undefined;

/** Where previews are switched off each file gets a tab that stays: those of this go again. */
async function closeLeft(uri: string): Promise<void> {
  if (vscode.workspace.getConfiguration("workbench.editor").get("enablePreview") !== false) return;
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  const left = tabs.find(tab => uriOf(tab) === uri && !tab.isActive && !tab.isDirty && !tab.isPinned);
  if (left) await vscode.window.tabGroups.close(left, true);
}
