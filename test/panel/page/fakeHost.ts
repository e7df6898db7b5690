/**
 * Stands in for VS Code on the tests' page: `acquireVsCodeApi`, theme variables, and a host that answers each request of
 * the protocol. Both directions are checked against the protocol's schemas; what does not fit is a problem, and so is a
 * violation of the page's CSP. The tests reach it as `window.fakeHost`.
 */
import "./jitless";
import * as z from "zod";
import type { AgentEvent } from "../../../src/shared/events";
import type { HostToPanel, PanelMethod, PanelResult } from "../../../src/shared/panelProtocol";
import { hostToPanelSchema, panelRequests, panelToHostSchema } from "../../../src/shared/panelProtocol";
import type { ContextUsage, PanelSnapshot } from "../../../src/shared/panelSnapshot";
import { installClock } from "./clock";
import { mentionResults } from "./mentions";

/** How a test wants the host to answer. */
export interface FakeHostOptions {
  /** `context`: told behind it, as the host does */
  snapshot: PanelSnapshot & { context?: ContextUsage };
  /** answers of single methods; a list: one for each request, in order, the last one for ever */
  results: { [M in PanelMethod]?: PanelResult<M> | PanelResult<M>[] };
  /** methods that are refused, with what the host says */
  refused: { [M in PanelMethod]?: string };
  /** methods that get no answer until `release` */
  held: PanelMethod[];
  /** paths that can be mentioned, folders with `/` at their end */
  files: string[];
  variables: Record<string, string>;
  /** classes of the body, as VS Code sets them: `vscode-dark` */
  bodyClass: string;
  /** the page's clock stands still at this time, ms since the epoch */
  now?: number;
  /** which of the tests' documents this is: a reload keeps it, and what is stored is one document's */
  document: string;
}

export interface FakeHost {
  /** every request of the panel, in order */
  requests: { method: PanelMethod; params: unknown }[];
  /** what broke the protocol, the CSP, or the page */
  problems: string[];
  send(message: HostToPanel): void;
  events(events: AgentEvent[]): void;
  /** `newestFirst`: the answers come in the wrong order */
  release(method: PanelMethod, newestFirst?: boolean): void;
  /** The workspace has other files from now on. */
  setFiles(files: string[]): void;
  refuse(method: PanelMethod, message: string | undefined): void;
  /** Lets time pass, ms. */
  pass(ms: number): void;
}

declare global {
  interface Window {
    fakeHostOptions: FakeHostOptions;
    fakeHost: FakeHost;
    acquireVsCodeApi: () => {
      postMessage(message: unknown): void;
      setState(state: unknown): void;
    };
  }
}

/** nothing was said yet */
const emptyContext: PanelResult<"contextView"> = {
  ...{
    counted: 0,
    tokens: 0,
    window: 200_000,
    compactAt: 160_000,
    strata: [],
    rows: [],
    turns: 0,
    held: false,
  },
  spent: { input: 0, output: 0 },
};

const DRAFT_KEY = "draft";
const DOCUMENT_KEY = "document";

function start(options: FakeHostOptions) {
  const pass = installClock(options.now);
  if (sessionStorage.getItem(DOCUMENT_KEY) !== options.document) sessionStorage.clear();
  sessionStorage.setItem(DOCUMENT_KEY, options.document);
  const problems: string[] = [];
  const requests: FakeHost["requests"] = [];
  const held = new Set<PanelMethod>(options.held);
  const waiting: { method: PanelMethod; answer: () => void }[] = [];
  document.addEventListener("securitypolicyviolation", event =>
    problems.push(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
  );

  function check<T>(schema: z.ZodType<T>, value: unknown, what: string): void {
    const parsed = schema.safeParse(value);
    if (!parsed.success) problems.push(`${what}: ${z.prettifyError(parsed.error)}`);
  }

  function send(message: HostToPanel): void {
    check(hostToPanelSchema, message, `host sends ${message.type}`);
    const data = structuredClone(message);
    setTimeout(() => window.postMessage(data, "*"), 0);
  }

  function resultOf(method: PanelMethod, params: unknown): unknown {
    const given: unknown = options.results[method];
    if (Array.isArray(given)) return given.length > 1 ? given.shift() : given[0];
    if (given !== undefined) return given;
    const defaults: Partial<Record<PanelMethod, unknown>> = {
      open: options.snapshot,
      newSession: { ...options.snapshot, sessionId: "session_new", title: "", records: [], hasOlder: false, live: [] },
      sessions: { sessions: [] },
      modelWays: { editor: [], local: [] },
      offers: { offers: [] },
      found: { summary: "" },
      tools: { sections: [] },
      older: { records: [], hasOlder: false },
      contextView: emptyContext,
      sentRequests: { requests: [], hasOlder: false, unreadable: 0 },
      mcpServers: { servers: [], problems: [] },
      find: { hits: [] },
      turnChanges: { files: [] },
      callable: { names: [] },
      printed: { first: "What the tool gave, whole.", last: "" },
      ...mentionResults(params, options.files),
    };
    return defaults[method] ?? {};
  }

  function reply(id: number, method: PanelMethod, params: unknown): void {
    const refused = options.refused[method];
    if (refused !== undefined) {
      send({ type: "failure", id, ok: false, message: refused });
      return;
    }
    const result = resultOf(method, params);
    check(panelRequests[method].result as z.ZodType<unknown>, result, `host answers ${method}`);
    send({ type: "reply", id, ok: true, result });
    const { context: use, sessionId } = options.snapshot;
    if (method === "open" && use) send({ type: "counted", sessionId, use });
  }

  function receive(message: unknown): void {
    check(panelToHostSchema, message, "panel sends");
    const { id, method, params } = panelToHostSchema.parse(message);
    check(panelRequests[method].params as z.ZodType<unknown>, params, `panel asks ${method}`);
    requests.push({ method, params });
    if (method === "keepDraft") sessionStorage.setItem(DRAFT_KEY, JSON.stringify(params));
    if (held.has(method)) waiting.push({ method, answer: () => reply(id, method, params) });
    else reply(id, method, params);
  }

  window.fakeHost = {
    requests,
    problems,
    send,
    events: events => send({ type: "events", sessionId: options.snapshot.sessionId, events }),
    release(method, newestFirst = false) {
      held.delete(method);
      const answers = waiting.filter(request => request.method === method);
      for (const { answer } of newestFirst ? answers.reverse() : answers) answer();
    },
    setFiles(files) {
      options.files = files;
    },
    refuse(method, message) {
      if (message === undefined) delete options.refused[method];
      else options.refused[method] = message;
    },
    pass,
  };
  window.acquireVsCodeApi = () => {
    const draft = sessionStorage.getItem(DRAFT_KEY);
    const root = document.getElementById("root");
    if (draft !== null && root !== null) root.dataset.draft = draft;
    return { postMessage: message => receive(structuredClone(message)), setState: () => undefined };
  };
  for (const [name, value] of Object.entries(options.variables))
    document.documentElement.style.setProperty(name, value);
  document.documentElement.style.setProperty("background", "var(--vscode-sideBar-background)");
  document.addEventListener("DOMContentLoaded", () => document.body.classList.add(...options.bodyClass.split(" ")));
}

start(window.fakeHostOptions);
