/**
 * The models of one turn: the one that is set, and those that take over where it is overloaded, out of credit or out of reach, breaks
 * its answers off or refuses the request (`strata.model.fallback`). Each turn begins with the first again.
 * A refused key or a wrong name is the person's to mend: a model that stepped in would hide it.
 */
import { errorMessage } from "../../shared/errorMessage";
import { t } from "../../shared/l10n";
import { withoutName } from "../../shared/sessionModel";
import type { TurnError } from "../../shared/turnEnd";
import { warnOnce } from "../context/requests/requestBuilder";
import type { ModelConnection, Models, SettingsSource } from "../ground/ports";
import { NoModelError, onlyFor } from "../ground/ports";
import type { History } from "../log/history";

interface ChainDeps {
  models: Models;
  settings: SettingsSource;
  history: History;
}

/** What another provider need not suffer from. */
const OUT_OF_SERVICE = "rate-limit server refused timeout cut bad-request".split(" ");

export class ModelChain {
  private constructor(
    /** the one that is asked now */
    public connection: ModelConnection,
    /** names of models that were not tried yet */
    private readonly others: string[],
    private readonly deps: ChainDeps,
  ) {}

  /** Rejects with NoModelError where the first cannot be asked. */
  static async connect(deps: ChainDeps): Promise<ModelChain> {
    const first = await deps.models.connect();
    await warnOfConnection(first, deps.history);
    return new ModelChain(first, [...deps.settings.get()["model.fallback"]], deps);
  }

  get hasNext(): boolean {
    return this.others.length > 0;
  }

  /** Changes to the next usable model and notes it in the conversation. false: none can take over. */
  async passOn(failure: TurnError): Promise<boolean> {
    if (!OUT_OF_SERVICE.includes(failure.code)) return false;
    // It thinks as much as the session was told to.
    const thinking = withoutName(this.deps.history.conversation.model ?? {});
    for (let name = this.others.shift(); name !== undefined; name = this.others.shift()) {
      const next = await this.deps.models.connect({ name, ...thinking }).catch(onlyFor(NoModelError, errorMessage));
      if (typeof next === "string") {
        await this.note(t("{0} cannot take over. {1}", name, next));
      } else if (next.name !== this.connection.name || next.address !== this.connection.address) {
        this.connection = next;
        await this.note(t("{0} {1} answers for the rest of this turn.", failure.message, next.name));
        await warnOfConnection(next, this.deps.history);
        return true;
      }
    }
    return false;
  }

  private async note(text: string): Promise<void> {
    await this.deps.history.append({ kind: "note", level: "warning", code: "model-fallback", text });
  }
}

async function warnOfConnection({ warning }: ModelConnection, history: History): Promise<void> {
  if (warning) await warnOnce(history, "open-connection", warning);
}
