/** Mentions of nothing: said only where a path is clearly meant, with the nearest names as fixes. */

import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  DiagnosticSeverity,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Place } from "../core/mentions/pathIndex";
import { t } from "../shared/l10n";
import { mayBePackage } from "../shared/mentions/parse";
import { type Mentions, rangeOf } from "./documents";
import type { Workspace } from "./workspace";

const SOURCE = "strata";
const CODE = "no-such-file";
const MAX_FIXES = 3;
/** Fixes are looked for this many problems at a time (all of a document may be selected): each takes a while in a large folder. */
const MAX_FIXED = 5;

/** Rules files are what the agent is told, so what they name should be there. */
const RULES = /(?:^|\/)(?:agents?|claude|code_law|copilot-instructions)\.md$/i;

/** One for each mention of nothing. Rejects where the editor cannot be asked what is there. */
export async function problems(
  document: TextDocument,
  mentions: Mentions,
  workspace: Workspace,
): Promise<Diagnostic[]> {
  if (workspace.folders.length === 0) return [];
  const isForAgent = document.languageId === "strata-prompt" || RULES.test(document.uri);
  // A person, a package, a decorator: nothing is wrong with what may be no mention at all.
  const meant = mentions.of(document).filter(({ doubtful }) => !doubtful);
  const named = await mentions.named(meant);
  return named.flatMap(({ mention, place, kind }) => {
    if (kind || (!isForAgent && place && mayBePackage(mention) && !hasFirstPart(place, workspace))) return [];
    const message = place
      ? t("There is no {0} in the workspace.", mention.path)
      : t("{0} is outside of the workspace: the agent is not told to read it.", mention.path);
    const severity = isForAgent ? DiagnosticSeverity.Warning : DiagnosticSeverity.Information;
    return [{ range: rangeOf(document, mention), severity, source: SOURCE, code: CODE, message }];
  });
}

/** A path into a folder that is there is none of a package's. */
function hasFirstPart({ root, path }: Place, workspace: Workspace): boolean {
  return workspace.kindOf({ root, path: path.slice(0, path.indexOf("/")) }) !== undefined;
}

interface FixDeps {
  mentions: Mentions;
  workspace: Workspace;
  token: CancellationToken;
}

/** For the first of our problems in the range: the nearest names. Others are answered between one and the next. */
export async function fixes(
  document: TextDocument,
  { context }: CodeActionParams,
  { token, ...deps }: FixDeps,
): Promise<CodeAction[]> {
  const ours = context.diagnostics.filter(({ source, code }) => source === SOURCE && code === CODE);
  const actions: CodeAction[] = [];
  for (const diagnostic of ours.slice(0, MAX_FIXED)) {
    await new Promise(resolve => setImmediate(resolve));
    if (token.isCancellationRequested) return [];
    actions.push(...fixesOf(diagnostic, document, deps));
  }
  return actions;
}

function fixesOf(
  diagnostic: Diagnostic,
  document: TextDocument,
  { mentions, workspace }: Omit<FixDeps, "token">,
): CodeAction[] {
  const start = document.offsetAt(diagnostic.range.start);
  const mention = mentions.of(document).find(each => each.start === start);
  if (!mention) return [];
  const nearest = workspace.nearest(mention.path, MAX_FIXES);
  return nearest.map((match, index) => {
    const newText = workspace.mentionOf(match, match.kind, match.kind === "file" ? mention.range : undefined);
    const textDocument = { uri: document.uri, version: document.version };
    return {
      title: t("Change to {0}", newText),
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: index === 0,
      edit: { documentChanges: [{ textDocument, edits: [{ range: rangeOf(document, mention), newText }] }] },
    };
  });
}

const QUIET_MS = 250;
/** After a failure the editor is given some time before it is asked again. */
const RETRY_MS = 2_000;

interface ValidationDeps {
  all(): readonly TextDocument[];
  get(uri: string): TextDocument | undefined;
  /** undefined: it cannot be said yet */
  problems(document: TextDocument): Promise<Diagnostic[] | undefined>;
  publish(uri: string, version: number, diagnostics: Diagnostic[]): void;
  log(message: string): void;
  /** Calls back after `ms`. Gives back what calls it off. */
  after(ms: number, call: () => void): () => void;
}

/** Why not when the editor asks: C-181. */
export class Validation {
  /** what calls the next look at each off */
  private readonly timers = new Map<string, () => void>();
  /**
   * What was said of each. Nothing is said twice: to the editor, and to whoever waits there for a checker's answer, every
   * report is news.
   */
  private readonly published = new Map<string, string>();

  constructor(private readonly deps: ValidationDeps) {}

  later(uri: string, waitMs = QUIET_MS): void {
    this.timers.get(uri)?.();
    this.timers.set(
      uri,
      this.deps.after(waitMs, () => {
        this.timers.delete(uri);
        this.validate(uri).catch(error => {
          this.deps.log(`${uri} could not be looked at: ${error}`);
          if (this.deps.get(uri) && !this.timers.has(uri)) this.later(uri, RETRY_MS);
        });
      }),
    );
  }

  /** Files that come and go without end (a build) keep no document from being looked at. */
  allLater(): void {
    for (const { uri } of this.deps.all()) if (!this.timers.has(uri)) this.later(uri);
  }

  closed(uri: string): void {
    this.timers.get(uri)?.();
    this.timers.delete(uri);
    if (this.published.delete(uri)) this.deps.publish(uri, 0, []);
  }

  private async validate(uri: string): Promise<void> {
    const document = this.deps.get(uri);
    if (!document) return;
    const { version } = document;
    const diagnostics = await this.deps.problems(document);
    // Changed or closed meanwhile: another look is on its way, or none is wanted. An untitled document that was closed may
    // have given its address, and even its version, to the next one.
    if (!diagnostics || this.deps.get(uri) !== document || document.version !== version) return;
    const said = JSON.stringify(diagnostics);
    if (said === (this.published.get(uri) ?? "[]")) return;
    if (diagnostics.length > 0) this.published.set(uri, said);
    else this.published.delete(uri);
    this.deps.publish(uri, version, diagnostics);
  }
}
