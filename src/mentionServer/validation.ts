/** When open documents are looked at for mentions of nothing: a moment after the last change of the text or of the files. */
import type { Diagnostic } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";

const QUIET_MS = 250;

export interface ValidationDeps {
  all(): readonly TextDocument[];
  get(uri: string): TextDocument | undefined;
  /** undefined: it cannot be said yet */
  problems(document: TextDocument): Promise<Diagnostic[] | undefined>;
  publish(uri: string, version: number, diagnostics: Diagnostic[]): void;
  log(message: string): void;
}

export class Validation {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /**
   * What was said of each. Nothing is said twice: to the editor, and to whoever waits there for a checker's answer, every
   * report is news.
   */
  private readonly published = new Map<string, string>();

  constructor(private readonly deps: ValidationDeps) {}

  later(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(
      uri,
      setTimeout(() => {
        this.timers.delete(uri);
        this.validate(uri).catch(error => this.deps.log(`${uri} could not be looked at: ${error}`));
      }, QUIET_MS),
    );
  }

  /** Files that come and go without end (a build) keep no document from being looked at. */
  allLater(): void {
    for (const { uri } of this.deps.all()) if (!this.timers.has(uri)) this.later(uri);
  }

  closed(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    if (this.published.delete(uri)) this.deps.publish(uri, 0, []);
  }

  private async validate(uri: string): Promise<void> {
    const document = this.deps.get(uri);
    if (!document) return;
    const { version } = document;
    const diagnostics = await this.deps.problems(document);
    // Changed or closed meanwhile: another look is on its way, or none is wanted.
    if (!diagnostics || this.deps.get(uri)?.version !== version) return;
    const said = JSON.stringify(diagnostics);
    if (said === (this.published.get(uri) ?? "[]")) return;
    if (diagnostics.length > 0) this.published.set(uri, said);
    else this.published.delete(uri);
    this.deps.publish(uri, version, diagnostics);
  }
}
