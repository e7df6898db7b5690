/** `strata rewind`: back to before a turn, what that would do, and back from there. */
import { type AgentPorts, openSession } from "../core/session/openSession";
import type { RewindPreview } from "../core/session/sessionRewind";
import type { AgentEvent } from "../shared/events";
import { visibleLine, visibleText } from "../shared/shown";
import type { RewindCommand } from "./args";
import { rewindLine, type Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";

/** Rejects with SessionError, StorageError and the errors of opening a session. */
export async function rewind(command: RewindCommand, ports: AgentPorts, streams: Streams): Promise<number> {
  const { session: id, turn, what, preview, json } = command;
  const session = await openSession(ports, id);
  try {
    if (preview && turn !== undefined) {
      const found = await session.rewind.preview(turn);
      streams.out(json ? `${JSON.stringify(found)}\n` : previewText(found));
      return EXIT.done;
    }
    const print = json ? (event: AgentEvent) => streams.out(jsonLine(event)) : undefined;
    if (print) {
      session.subscribe(print);
      print(session.hello());
    }
    const record = await (turn === undefined ? session.rewind.undo() : session.rewind.rewind(turn, what));
    if (!json) streams.err(`${rewindLine(record)}\n`);
    return record.cutOff ? EXIT.error : EXIT.done;
  } finally {
    await session.close();
  }
}

/** What a rewind would do, as a list. */
function previewText({ turn, turns, files, stays, gaps }: RewindPreview): string {
  const marks = { changed: "~", created: "+", deleted: "-" };
  const list = files.map(({ path, becomes, merged, during }) => {
    const kept = merged ? " (changed since; that stays)" : "";
    const made = during === undefined ? "" : ` (made while this ran: ${visibleLine(during)})`;
    return `  ${marks[becomes]} ${visibleLine(path)}${kept}${made}`;
  });
  return [
    `Back to before turn ${turn}: ${turns} ${turns === 1 ? "turn leaves" : "turns leave"} the conversation, and can be gone back to.`,
    list.length > 0 ? "Files (~ changed, + created, - deleted):" : "No file would change.",
    ...list,
    ...[...stays, ...gaps].map(line => `! ${visibleText(line)}`),
    "",
  ].join("\n");
}
