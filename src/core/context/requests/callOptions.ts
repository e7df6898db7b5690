/** What goes with a request beside its content: part of the manifest. */
import { defined } from "../../../shared/defined";
import type { Json } from "../../../shared/messages";
import type { ModelConnection } from "../../ground/ports";

/** The connection as a session's requests go over it: they share a cache where the provider is told whose they are. */
export function forSession(connection: ModelConnection, sessionId: string): ModelConnection {
  const { sessionOption: option, providerOptions } = connection;
  if (!option) return connection;
  const own = { ...providerOptions[option.provider], [option.name]: sessionId };
  return { ...connection, providerOptions: { ...providerOptions, [option.provider]: own } };
}

export function toCallOptions({
  providerOptions,
  maxOutputTokens,
  reasoning,
  protocol,
}: ModelConnection): Record<string, Json> {
  return {
    providerOptions,
    ...defined({ maxOutputTokens: maxOutputTokens || undefined, reasoning, protocol }),
  };
}
