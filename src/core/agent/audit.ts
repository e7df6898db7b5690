/** What `permissions.jsonl` is told of a call: that a person is asked, and what is decided. */
import type { ApprovalAnswer } from "../../shared/approval";
import { defined } from "../../shared/defined";
import type { ToolCallPart } from "../../shared/messages";
import type { PermissionEntry } from "../../shared/permissionLog";
import type { Action, PolicyState, Verdict } from "../permissions/verdict";
import type { PreparedCall } from "../tool/tool";

export interface AuditDeps {
  /** Absent: nobody keeps it. Never rejects. */
  audit?: { write(entry: Omit<PermissionEntry, "ts" | "missed">): Promise<void> };
  /** Every command runs in the sandbox, whoever allowed it (`strata.bash.sandbox`). */
  confinesAll?(): boolean;
}

interface JudgedCall {
  call: ToolCallPart;
  prepared: PreparedCall;
  action: Action;
  binds: string;
  policy: PolicyState;
  verdict: Verdict;
}

export function auditOf({ audit, confinesAll }: AuditDeps, judged: JudgedCall) {
  const { call, prepared, action, binds, policy, verdict } = judged;
  const base = {
    callId: call.toolCallId,
    toolName: action.toolName,
    title: prepared.title,
    binds,
    mode: policy.mode,
  };
  const { rule, from, reason } = verdict;
  const why = defined({ rule, from, reason: reason || undefined });
  const where = (isAllowed: boolean, confined: boolean): Pick<PermissionEntry, "sandbox"> =>
    isAllowed && action.effects.includes("command") ? { sandbox: confined || confinesAll?.() ? "in" : "out" } : {};
  return {
    /** By rules, the mode or what was granted. Looking into files unasked is not worth a line: the history has it. */
    async decided(): Promise<void> {
      const { decision, by } = verdict;
      const looks = action.effects.every(effect => effect === "read" || effect === "session");
      if (decision === "allow" && by === "mode" && looks) return;
      const sandbox = where(decision === "allow", by === "sandbox");
      await audit?.write({ kind: "decided", ...base, decision, by, ...why, ...sandbox });
    },
    /** @param asked why, as the person reads it */
    async asked(asked: string | undefined): Promise<void> {
      const reason = asked === undefined ? {} : { reason: asked };
      await audit?.write({ kind: "asked", ...base, decision: "ask", by: verdict.by, ...why, ...reason });
    },
    /** @param bound of what runs, where the person changed it */
    async answered({ decision, by, scope, rules }: ApprovalAnswer, bound = binds): Promise<void> {
      const written = scope === "always" && rules ? { rules } : {};
      const sandbox = where(decision === "allow", false);
      await audit?.write({ kind: "decided", ...base, binds: bound, decision, by, scope, ...written, ...sandbox });
    },
  };
}
