/**
 * Models that take no tools: where a server refuses them, the same model goes on over the text protocol (docs/context.md), and the
 * conversation says so. A turn keeps its connection, so which one it uses now is known here.
 */
import type { History } from "../history/history";
import type { ModelConnection } from "../ports";
import type { StepResult } from "../requests/request";
import { warnOnce } from "../requests/requestBuilder";

export class ProtocolFallback {
  private readonly textual = new WeakMap<ModelConnection, ModelConnection>();

  constructor(private readonly history: History) {}

  /** The connection as it is used now. */
  current(connection: ModelConnection): ModelConnection {
    return this.textual.get(connection) ?? connection;
  }

  /** The connection over which the request goes out once more; undefined: the result stands. Rejects with StorageError. */
  async after(result: StepResult, connection: ModelConnection): Promise<ModelConnection | undefined> {
    if (result.kind !== "failed" || result.error.code !== "no-tools") return undefined;
    const textual = this.current(connection).withoutTools?.();
    if (!textual) return undefined;
    this.textual.set(connection, textual);
    if (textual.warning) await warnOnce(this.history, "no-tools", textual.warning);
    return textual;
  }
}
