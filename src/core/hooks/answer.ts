/** What a hook's exit code and output mean. Pure. */
import * as z from "zod";
import type { HookEvent, HookRun } from "../../shared/hooks";
import { cutPoint } from "../text/format";

/** A hook's process, ended. */
export interface HookProcess {
  /** null: it was ended by a signal */
  exitCode: number | null;
  ended: "exited" | "timeout" | "stopped" | "failed";
  stdout: string;
  stderr: string;
}

export interface HookAnswer {
  outcome: HookRun["outcome"];
  /** for people */
  text: string;
  decision?: "deny" | "ask" | "allow";
  /** why: for the model, and the person who is asked */
  reason?: string;
  updatedInput?: Record<string, unknown>;
  /** for the model */
  context?: string;
  /** Nothing goes on after this: why. */
  halt?: string;
}

/** Characters of what a hook says that a model gets. */
const MAX_CONTEXT = 10_000;

/** What is no text is left out: a no does not fail because of its words. */
const words = z.string().optional().catch(undefined);
const orNull = <T extends z.ZodType>(type: T) => type.nullish().transform(value => value ?? undefined);

const outputSchema = z.looseObject({
  continue: orNull(z.boolean()),
  stopReason: words,
  systemMessage: words,
  decision: orNull(z.enum(["approve", "block"])),
  reason: words,
  additionalContext: words,
  hookSpecificOutput: orNull(
    z.looseObject({
      permissionDecision: orNull(z.enum(["allow", "deny", "ask", "defer"])),
      permissionDecisionReason: words,
      updatedInput: orNull(z.record(z.string(), z.unknown())),
      additionalContext: words,
    }),
  ),
});

/** What these print is told to the model as it is. */
const TELLS: readonly HookEvent[] = ["SessionStart", "UserPromptSubmit"];

export function readAnswer(event: HookEvent, { exitCode, ended, stdout, stderr }: HookProcess): HookAnswer {
  const said = bounded(stderr.trim() || stdout.trim());
  if (ended === "timeout" || ended === "stopped" || ended === "failed") return { outcome: ended, text: said };
  if (exitCode === 2) return { outcome: "denied", decision: "deny", text: said, reason: said || "It gave no reason." };
  if (exitCode !== 0) {
    const code = exitCode === null ? "It was ended by a signal." : `It ended with code ${exitCode}.`;
    return { outcome: "failed", text: [code, said].filter(Boolean).join(" ") };
  }
  const printed = stdout.trim();
  if (!printed.startsWith("{")) {
    const tells = TELLS.includes(event) && printed !== "";
    return { outcome: "ok", text: "", ...(tells && { context: bounded(printed) }) };
  }
  const parsed = outputSchema.safeParse(parsedJson(printed));
  if (!parsed.success)
    return { outcome: "failed", text: `What it printed begins as JSON and cannot be read. ${bounded(printed)}` };
  return fromOutput(parsed.data);
}

function fromOutput(output: z.infer<typeof outputSchema>): HookAnswer {
  const { hookSpecificOutput: specific, systemMessage } = output;
  const updatedInput = specific?.updatedInput;
  const decision = decided(output);
  const reason = specific?.permissionDecisionReason ?? output.reason;
  const context = specific?.additionalContext ?? output.additionalContext;
  const outcomes = { deny: "denied", ask: "asked", allow: "allowed" } as const;
  const outcome = decision && decision !== "allow" ? outcomes[decision] : updatedInput ? "changed" : undefined;
  return {
    outcome: outcome ?? (decision ? outcomes[decision] : "ok"),
    text: bounded(systemMessage ?? reason ?? ""),
    ...(decision && { decision }),
    ...(reason && { reason: bounded(reason) }),
    ...(updatedInput && { updatedInput }),
    ...(context && { context: bounded(context) }),
    ...(output.continue === false && { halt: bounded(output.stopReason ?? "It gave no reason.") }),
  };
}

function decided(output: z.infer<typeof outputSchema>): HookAnswer["decision"] {
  const { permissionDecision } = output.hookSpecificOutput ?? {};
  if (output.decision === "block") return "deny";
  if (permissionDecision && permissionDecision !== "defer") return permissionDecision;
  return output.decision === "approve" ? "allow" : undefined;
}

function bounded(text: string): string {
  return text.length <= MAX_CONTEXT ? text : `${text.slice(0, cutPoint(text, MAX_CONTEXT))} … (cut)`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
