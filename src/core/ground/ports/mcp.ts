/** MCP servers, for people: what there is, a look into one, a call by hand. */
import type { McpProblem, McpServerView } from "../../../shared/mcp";
import type { Json } from "../../../shared/messages";

/** The person's browser. */
export interface SignInBrowser {
  /** Shows them the address. */
  open(address: string): Promise<void>;
  /** What the browser calls an address of this machine, where that is another one; absent: as this machine does */
  outside?(address: string): Promise<string>;
}

export interface McpControl {
  /** Reads what is configured now; starts nothing. Never rejects. */
  refresh(): Promise<void>;
  /** Starts nothing, asks for nothing. Never rejects. */
  views(): Promise<McpServerView[]>;
  readonly problems: readonly McpProblem[];
  /** A state or a list changed. Gives back what ends it. */
  onDidChange(listener: () => void): () => void;
  /** Starts one and asks what it has. Rejects with ErrorForPeople. @param place a configured name, or an address */
  check(place: string, signal: AbortSignal): Promise<McpServerView>;
  /** Calls a tool by the server's own name of it, or by `server:tool`; what it asks meanwhile is cancelled. Rejects with ErrorForPeople. */
  callByHand(
    place: string,
    call: { tool: string; input: Record<string, Json> },
    on: { signal: AbortSignal; progress(line: string): void },
  ): Promise<{ text: string; isError: boolean }>;
  /** They agreed to what stood under this hash. Rejects with ErrorForPeople, also where it is another one by now. */
  agree(name: string, hash: string): Promise<void>;
  /** They take it back: it stops, and asks again. Rejects with ErrorForPeople. */
  withdraw(name: string): Promise<void>;
  /** Starts it with a person who signs in. Rejects with ErrorForPeople; with ServerStopped where it was cancelled. */
  signIn(place: string, browser: SignInBrowser, signal: AbortSignal): Promise<void>;
  signOut(place: string): Promise<void>;
  /** Whoever needs it next starts it anew. */
  stop(name: string): Promise<void>;
  /** What its error stream had last; "": nothing is known. Rejects with ErrorForPeople. */
  log(name: string): Promise<string>;
}

/** What MCP servers offer beside tools, as they said last: knowing it starts nothing. */
export interface McpOffers {
  /** Reads what is configured now. Never rejects. */
  refresh(): Promise<void>;
  /** One entry for each server, in the order of the configuration; without those that are switched off. */
  offers(): readonly ServerOffers[];
  /**
   * Fetches a prompt; the server is started where it does not run. Rejects with ErrorForPeople, or with the signal's reason.
   * @param words what was typed behind its name
   */
  prompt(server: string, call: { name: string; words: string }, signal: AbortSignal): Promise<OfferedContent>;
  /** Reads a resource; as `prompt`. */
  resource(server: string, uri: string, signal: AbortSignal): Promise<OfferedContent>;
}

export interface ServerOffers {
  server: string;
  /** false: not looked into yet, or not agreed to */
  known: boolean;
  prompts: readonly OfferedPrompt[];
  resources: readonly OfferedResource[];
}

interface OfferedPrompt {
  /** as it is called, behind the server's name */
  name: string;
  /** one line; the server's words */
  description: string;
  arguments: readonly { name: string; required: boolean }[];
}

export interface OfferedResource {
  /** of a template with places in it: `file:///{path}` */
  uri: string;
  /** one line; the server's words */
  title: string;
  mimeType?: string;
  /** what stands in `{…}` is to be filled in */
  template: boolean;
}

/** The server's words. */
export interface OfferedContent {
  title: string;
  text: string;
  images: readonly { mediaType: string; bytes: Uint8Array; path: string }[];
}
