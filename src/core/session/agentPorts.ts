/** What a session needs of the world. */

import type { SenderPorts } from "../agent/stepSender";
import type {
  Attachments,
  Diagnostics,
  Files,
  Models,
  Patterns,
  Search,
  SessionStorage,
  Shell,
  Unsaved,
} from "../ports";
import type { BuilderPorts } from "../requests/requestBuilder";

export interface AgentPorts extends SenderPorts, BuilderPorts {
  files: Files;
  search: Search;
  shell: Shell;
  patterns: Patterns;
  storage: SessionStorage;
  models: Models;
  /** documents with unsaved changes; a terminal has none */
  unsaved?: Unsaved;
  /** what the editor's checkers say of files; a terminal has none */
  diagnostics?: Diagnostics;
  /** what a message can attach beside files; absent: nothing */
  attachments?: Attachments;
  /** absolute folders of Strata's own settings and storage, '/' separators: protected */
  ownFolders: readonly string[];
  /** false: nobody is there to answer questions */
  attended: boolean;
}
