/** How tools reach a model: as tools, or as text where it takes none, by the setting or because its server said so. */

import type { ModelConnection, ToolRefusals, WallClock } from "../core/ground/ports";
import { t } from "../shared/l10n";
import type { Settings } from "../shared/settings";
import { WrittenAnswer } from "./react/answerReader";
import { protocolMiddleware } from "./react/protocol";

/** ms: a server may be started with tool calling meanwhile, so it is asked again */
const REMEMBERED = 7 * 24 * 60 * 60 * 1000;

interface ProtocolChoice {
  setting: Settings["model.protocol"];
  takesStop: boolean;
  /** false: it is known to take none */
  takesTools: boolean;
}

export class ToolProtocol {
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly clock: WallClock,
    private readonly store?: ToolRefusals,
  ) {}

  /** The connection as its model takes tools. */
  async choose(
    connection: ModelConnection,
    { setting, takesStop, takesTools }: ProtocolChoice,
  ): Promise<ModelConnection> {
    const newId = () => `call_${crypto.randomUUID()}`;
    const calling: ModelConnection = {
      ...connection,
      answerReader: (tools, wasAsked) => new WrittenAnswer(tools, { newId, wasAsked }),
    };
    if (setting === "tools") return calling;
    const { wrapLanguageModel } = await import("ai");
    const middleware = protocolMiddleware(takesStop);
    const textual: ModelConnection = {
      ...connection,
      protocol: "react",
      answerReader: tools => new WrittenAnswer(tools, { newId, isProtocol: true }),
      open: (...call) => wrapLanguageModel({ model: asModel(connection.open(...call)), middleware }),
    };
    if (setting === "react") return textual;
    const warning = [connection.warning, takesNoTools(connection)].filter(Boolean).join(" ");
    const remembered = { ...textual, warning };
    if (!takesTools || (await this.isRefused(keyOf(connection)))) return remembered;
    const withoutTools = () => {
      this.remember(keyOf(connection));
      return remembered;
    };
    return { ...calling, withoutTools };
  }

  private async isRefused(key: string): Promise<boolean> {
    const at = this.refused.get(key) ?? (await this.store?.read())?.[key] ?? 0;
    return this.clock.now() - at < REMEMBERED;
  }

  private remember(key: string): void {
    const now = this.clock.now();
    this.refused.set(key, now);
    // Where it cannot be written, the next process asks the server once more: nobody need be told.
    this.store?.add(key, now).catch(() => undefined);
  }
}

const keyOf = ({ address, name }: ModelConnection) => `${address} ${name}`;

const takesNoTools = ({ name, address }: ModelConnection) =>
  t(
    '"{0}" at {1} takes no tools, so Strata describes them in its instructions and reads the calls out of the answers. This is less reliable: if it does not do what you ask, choose a model with tool calling.',
    name,
    address,
  );

type OpenModel = Exclude<ReturnType<ModelConnection["open"]>, string>;

/** What `open` gives is never a name. */
function asModel(model: ReturnType<ModelConnection["open"]>): OpenModel {
  if (typeof model === "string") throw new TypeError(`"${model}" is the name of a model`);
  return model;
}
