/** `strata rewind`: back to before a turn, what that would do, and back from there. */
import { type AgentPorts, openSession } from "../core/session/openSession";
import type { RewindPreview } from "../core/session/sessionRewind";
import type { Report } from "../core/text/report";
import type { AgentEvent } from "../shared/events";
import type { RewindCommand } from "./args";
import { rewindLine, type Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { printReport } from "./report";

/** Rejects with SessionError, StorageError and the errors of opening a session. */
export async function rewind(command: RewindCommand, ports: AgentPorts, streams: Streams): Promise<number> {
  const { session: id, turn, what, preview, json } = command;
  const session = await openSession(ports, id);
  try {
    if (preview && turn !== undefined) {
      const found = await session.rewind.preview(turn);
      if (json) streams.out(`${JSON.stringify(found)}\n`);
      else printReport(previewReport(found), streams);
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

/** What a rewind would do. */
function previewReport({ turn, turns, files, stays, gaps }: RewindPreview): Report {
  const marks = { changed: "~", created: "+", deleted: "-" };
  return {
    title: "What a rewind would do",
    sections: [
      {
        title: `Back to before turn ${turn}: ${turns} ${turns === 1 ? "turn leaves" : "turns leave"} the conversation, and can be gone back to.`,
        lines: [],
      },
      {
        title: files.length > 0 ? "Files (~ changed, + created, - deleted):" : "No files would change.",
        lines: files.map(({ path, becomes, merged, during }) => {
          const notes = [
            merged && "changed since; that stays",
            during !== undefined && `made while this ran: ${during}`,
          ];
          const from = notes.filter(Boolean).join("; ");
          return { label: `${marks[becomes]} ${path}`, ...(from !== "" && { from }) };
        }),
        warnings: [...stays, ...gaps],
      },
    ],
  };
}
