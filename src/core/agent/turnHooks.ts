/** The hooks of one turn: around its calls, at its end, and what stops it. */
import { plural, t } from "../../shared/l10n";
import type { AroundCompaction } from "../context/compaction/compactor";
import { hookSource } from "../ground/text/sources";
import type { SessionHooks } from "../guidance/hooks/sessionHooks";
import type { Inject } from "../tool/tool";
import type { CallHooks } from "./callHooks";

/** How often hooks may keep a turn from its end: one that never lets it end would cost without end. */
const MAX_HOLDS = 8;

/** Around every compaction; only one by hand can be kept from beginning, since a full window cannot wait. */
export const compactionHooks = (hooks: SessionHooks): AroundCompaction => ({
  async before(trigger, guidance, signal) {
    const fields = { trigger, custom_instructions: guidance };
    const fired = await hooks.tell("PreCompact", { names: [trigger], fields }, signal);
    hooks.tellLater(fired.contexts);
    const isKept = trigger === "manual" && (fired.decision === "deny" || fired.halt !== undefined);
    return isKept ? t("A hook keeps it from beginning. It says: {0}", fired.halt ?? fired.reason ?? "") : undefined;
  },
  async after(trigger, signal) {
    const { contexts } = await hooks.tell("PostCompact", { names: [trigger], fields: { trigger } }, signal);
    const anew = { names: ["compact"], fields: { source: "compact" } };
    hooks.tellLater([...contexts, ...(await hooks.tell("SessionStart", anew, signal)).contexts]);
  },
});

export class TurnHooks {
  private halting: string | undefined;
  private holds = 0;

  constructor(
    private readonly hooks: SessionHooks,
    private readonly inject: Inject,
  ) {}

  /** why nothing goes on; undefined: it does */
  get halted(): string | undefined {
    return this.halting;
  }

  get aroundCalls(): Omit<CallHooks, "inject"> {
    return {
      hooks: this.hooks,
      folder: () => this.hooks.folder,
      halt: reason => {
        this.halting ??= reason;
      },
    };
  }

  /** What was said between the steps, by hooks of a compaction say, comes to the model. */
  bringLater(): void {
    for (const [at, text] of this.hooks.takeLater().entries())
      this.inject.injectSystemOnce(text, `hook later ${at} ${text}`, hookSource("SessionStart"));
  }

  /** Asks the hooks of a turn's end. false: one has more to do, and the model is told with the next request. */
  async mayEnd(signal: AbortSignal): Promise<boolean> {
    const fields = { stop_hook_active: this.holds > 0 };
    const fired = await this.hooks.tell("Stop", { fields }, signal);
    if (signal.aborted || fired.halt !== undefined || fired.decision !== "deny") return true;
    if (this.holds >= MAX_HOLDS) {
      await this.hooks.note(
        plural(
          MAX_HOLDS,
          "A hook kept the turn from its end once, so Strata ended it.",
          "Hooks kept the turn from its end {0} times, so Strata ended it.",
        ),
      );
      return true;
    }
    this.holds += 1;
    const text = `A hook does not let the turn end yet. It says:\n${fired.reason}`;
    return !this.inject.injectSystemOnce(text, `hook stop ${this.holds}`, hookSource("Stop"));
  }
}
