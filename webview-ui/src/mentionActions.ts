/** What the composer asks of the host about mentions. */
import type { MentionCompletion, MentionState } from "../../src/shared/mentions/panelProtocol";
import type { PanelMethod, PanelParams, PanelResult } from "../../src/shared/panelProtocol";
import type { Host } from "./bridge/host";

export interface MentionActions {
  /** What a mention may become, of which this was typed. undefined: refused, a notice says why */
  completeMention(query: string): Promise<MentionCompletion | undefined>;
  /** What mentions name, in their order; undefined: it could not be found out */
  mentionStates(mentions: readonly string[]): Promise<readonly MentionState[] | undefined>;
  /** Paths and URIs as mentions, in their order; null: nothing of the workspace. undefined: refused, a notice says why */
  mentionPlaces(places: readonly string[]): Promise<readonly (string | null)[] | undefined>;
  /** Files came or went. Gives back what ends it. */
  onFilesChanged(listener: () => void): () => void;
}

/** @param ask undefined: refused, the notice is there */
export function mentionActions(
  ask: <M extends PanelMethod>(method: M, params: PanelParams<M>) => Promise<PanelResult<M> | undefined>,
  host: Host,
  onFilesChanged: MentionActions["onFilesChanged"],
): MentionActions {
  return {
    completeMention: query => ask("completeMention", { query }),
    async mentionStates(mentions) {
      try {
        return (await host.request("mentionStates", { mentions: [...mentions] })).states;
      } catch {
        // Chips without a state are still true; a notice while somebody types is not worth it.
        return undefined;
      }
    },
    mentionPlaces: async places => (await ask("mentionPlaces", { places: [...places] }))?.mentions,
    onFilesChanged,
  };
}
