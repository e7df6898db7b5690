/** MCP servers, for people: what there is, a look into one, a call by hand. */
import type { McpProblem, McpServerView } from "../../shared/mcp";
import type { Json } from "../../shared/messages";
import type { QuestionValues } from "../../shared/question";

export interface McpControl {
  /** Reads what is configured now; starts nothing. Never rejects. */
  refresh(): Promise<void>;
  views(): McpServerView[];
  readonly problems: readonly McpProblem[];
  /**
   * Starts one and asks what it has. Rejects with ErrorForPeople.
   * @param place a configured name, or an address
   */
  check(place: string, signal: AbortSignal): Promise<McpServerView>;
  /**
   * Calls a tool by the server's own name of it, or by `server:tool`. Rejects with ErrorForPeople.
   * @param on `answer`: to a form of the server's, beside what it takes itself; absent: it is declined
   */
  callByHand(
    place: string,
    call: { tool: string; input: Record<string, Json> },
    on: { signal: AbortSignal; progress(line: string): void; answer?: QuestionValues | undefined },
  ): Promise<{ text: string; isError: boolean }>;
  /** What the person has to agree to before it starts; undefined: nothing. @throws ErrorForPeople */
  question(name: string): { reason: string; detail: Json } | undefined;
  /** They did. */
  agree(name: string): Promise<void>;
  /** Starts it with a person who signs in. Rejects with ErrorForPeople. @param openBrowser shown the address */
  signIn(place: string, openBrowser: (address: string) => Promise<void>, signal: AbortSignal): Promise<void>;
  signOut(place: string): Promise<void>;
  /** Whoever needs it next starts it anew. */
  stop(name: string): Promise<void>;
  /** What its error stream had last; "": nothing is known. Rejects with ErrorForPeople. */
  log(name: string): Promise<string>;
}
