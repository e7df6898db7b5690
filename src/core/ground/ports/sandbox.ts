/** What confines commands: whether there is such a thing here, and what it is told. */
import { inSentences } from "../../../shared/format";
import { t } from "../../../shared/l10n";

/** `read`: the workspace is read-only and there is no network, whatever hosts are named. */
export type SandboxAccess = "read" | "write";

/** What confines a command. A shell must refuse one that it cannot keep. */
export type SandboxPolicy =
  | { readonly kind: "none" }
  /**
   * Reads the system, the workspace and of homes what tools need, but no secrets; writes in the workspace and a temporary
   * folder of its own, reaches no network but these hosts: `registry.npmjs.org`, `*.example.com`, `example.com:8443`.
   */
  | { readonly kind: "sandbox"; readonly network: readonly string[]; readonly access: SandboxAccess };

export const NO_SANDBOX: SandboxPolicy = { kind: "none" };

export type SandboxState =
  /** `name`: "bubblewrap" */
  | { readonly kind: "ready"; readonly name: string }
  /** `why`: a sentence for people. `how`: another one, what to do about it. `command`: what gets it, to be run by a person */
  | { readonly kind: "missing"; readonly why: string; readonly how?: string; readonly command?: string };

export interface Sandbox {
  /** Found out by a real run at the first call, then known for as long as this process lives. Never rejects. */
  state(): Promise<SandboxState>;
}

/** Why commands cannot be confined here and what gets it, in a line. */
export function missingWords({ why, how, command }: Extract<SandboxState, { kind: "missing" }>): string {
  return inSentences([why, how, command && t("To get it: `{0}`", command)]);
}
