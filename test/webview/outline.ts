/** What the store's tests share: states after actions, and what a reader sees of them. */
import assert from "node:assert/strict";
import type { LogRecord } from "../../src/shared/records";
import { reduce, type StoreAction } from "../../webview-ui/src/store/reduce";
import type { ConversationItem } from "../../webview-ui/src/store/state";
import { initialState, type PanelState } from "../../webview-ui/src/store/state";
import { type Script, SESSION, START, snapshot } from "../panel/script";

export const NOW = START + 60_000;

/** A state after these actions. */
export function stateAfter(...actions: StoreAction[]): PanelState {
  return actions.reduce(reduce, initialState);
}

export function opened(changes: Parameters<typeof snapshot>[0] = {}): StoreAction {
  return { type: "snapshot", snapshot: snapshot(changes), now: NOW };
}

export function events(script: Script): StoreAction {
  return { type: "events", sessionId: SESSION, events: script.take(), now: NOW };
}

/** What comes back when the panel asks for what is before its records. */
export function older(state: PanelState, records: readonly LogRecord[], hasOlder = false) {
  const { firstSeq, lastSeq } = state.session;
  return {
    type: "older" as const,
    sessionId: SESSION,
    before: firstSeq ?? lastSeq + 1,
    records: [...records],
    hasOlder,
  };
}

export function items(state: PanelState): readonly ConversationItem[] {
  return state.session.items;
}

/** Each item in a word or two: what a reader sees, top to bottom. */
export function outline(state: PanelState): string[] {
  const live = state.session.live;
  const words: { [K in ConversationItem["kind"]]: (item: Extract<ConversationItem, { kind: K }>) => string } = {
    user: item => `${item.steer ? "steer" : "user"}: ${item.text}`,
    answer: item => {
      const said = item.cutOff === null ? `answer: ${item.text}` : `attempt: ${item.text}`;
      const plan = item.plan?.item;
      return item.live ? `live: ${live?.text}` : plan ? `${said} with plan ${plan.op}: ${plan.title}` : said;
    },
    tool: item => `${item.toolName} ${item.phase}${item.outcome === null ? "" : `: ${item.outcome.digest}`}`,
    note: item => `note: ${item.text}`,
    end: item => `end: ${item.reason}`,
    plan: item => `plan ${item.op}: ${item.title} (${item.steps})`,
    compaction: item => `compacted: ${item.tokens.before} → ${item.tokens.after}`,
    rewind: ({ record }) => `rewound to ${record.turn}`,
  };
  return items(state).map(item => (words[item.kind] as (item: ConversationItem) => string)(item));
}

/** Plays the script on an open, running session and compares what a reader sees. */
export function check(script: Script, expected: string[]) {
  assert.deepEqual(outline(stateAfter(opened(), events(script))), expected);
}

export const read: [string, string, { file_path: string }] = ["call_1", "Read", { file_path: "src/a.ts" }];
