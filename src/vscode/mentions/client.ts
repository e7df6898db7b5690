/** The mention server's process and the connection to it: started once, started again when it ends by itself. */

import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { t } from "../../shared/l10n";
import { completionSchema, type MentionCompletion } from "../../shared/mentions/panelProtocol";
import {
  type FilesParams,
  type LookParams,
  type LookResult,
  lookSchema,
  mentionMethods as methods,
  type SearchParams,
  serverFlags,
  type WindowParams,
} from "../../shared/mentions/serverProtocol";

interface MentionClientDeps {
  /** absolute path of the server's program */
  program: string;
  channel: vscode.LogOutputChannel;
  /** language ids of documents with mentions, and schemes of such documents */
  languages: readonly string[];
  schemes: readonly string[];
  look(params: LookParams): Promise<LookResult>;
  /** what a server that starts has to know */
  window(): WindowParams;
  /** The server runs, for the first time or again, and knows of no files. */
  onRunning(): void;
}

/** The client starts a server again that ended so often within three minutes, and no more. */
const MAX_RESTARTS = 4;

export class MentionClient implements vscode.Disposable {
  private readonly client: LanguageClient;
  /** counts how often it ended */
  private readonly standard: ErrorHandler;
  /** it ended too often: the client said that, and nothing is found from then on */
  private isGivenUp = false;
  private readonly end = Promise.withResolvers<void>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: MentionClientDeps) {
    const options = { execArgv: [...serverFlags] };
    const server = { module: deps.program, transport: TransportKind.ipc, options };
    this.client = new LanguageClient("strata.mentions", "Strata Mentions", server, this.options());
    this.standard = this.client.createDefaultErrorHandler(MAX_RESTARTS);
    this.subscriptions = vscode.Disposable.from(
      this.client.onRequest(methods.look, params => deps.look(lookSchema.parse(params))),
      this.client.onDidChangeState(({ newState }) => newState === State.Running && deps.onRunning()),
    );
  }

  /** Resolves when questions are answered; rejects with what keeps the server from starting. */
  start(): Promise<void> {
    return this.client.start();
  }

  async search(params: SearchParams, signal: AbortSignal): Promise<MentionCompletion> {
    if (this.isGivenUp) return { items: [], indexing: false };
    const source = new vscode.CancellationTokenSource();
    const cancel = () => source.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      signal.throwIfAborted();
      return completionSchema.parse(await this.client.sendRequest(methods.search, params, source.token));
    } catch (error) {
      if (this.isGivenUp) return { items: [], indexing: false };
      throw error;
    } finally {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  }

  window(window: WindowParams): void {
    this.tell(methods.window, window);
  }

  files(part: FilesParams): void {
    this.tell(methods.files, part);
  }

  /** Resolves once it is disposed and the server's process is gone: how that ended is written into the log. */
  get ended(): Promise<void> {
    return this.end.promise;
  }

  dispose(): void {
    this.subscriptions.dispose();
    const server = this.client.serverProcess;
    const runs = server && server.exitCode === null && server.signalCode === null;
    const gone = runs ? new Promise(resolve => server.once("exit", resolve)) : undefined;
    const stopped = this.client.dispose().catch(() => undefined); // it did not run: there is nothing to stop
    this.end.resolve(Promise.all([stopped, gone]).then(() => undefined));
  }

  /** What is told to a server that does not run is not lost: a new one learns it when it starts. */
  private tell(method: string, params: unknown): void {
    if (this.client.state !== State.Running) return;
    this.client
      .sendNotification(method, params)
      .catch(error => this.deps.channel.warn(`The mention server was not told (${method}): ${error}`));
  }

  private options(): LanguageClientOptions {
    const { channel, languages, schemes } = this.deps;
    return {
      documentSelector: schemes.flatMap(scheme => languages.map(language => ({ scheme, language }))),
      outputChannel: channel,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ ...this.deps.window(), translation: vscode.l10n.bundle }),
      initializationFailedHandler: error => {
        channel.error(t("The mention server refused to start: {0}", error));
        return false;
      },
      errorHandler: {
        error: async (...failure) => ({ ...(await this.standard.error(...failure)), handled: true }),
        closed: () => this.closed(),
      },
    };
  }

  private async closed(): Promise<CloseHandlerResult> {
    const { action, message } = await this.standard.closed();
    this.isGivenUp = action === CloseAction.DoNotRestart;
    const said = this.isGivenUp
      ? t("{0} Reload the window to try it once more.", message ?? "")
      : t("The mention server is started again.");
    this.deps.channel.warn(said);
    return { action, message: said, handled: !this.isGivenUp };
  }
}
