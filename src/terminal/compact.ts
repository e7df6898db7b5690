/** What a compaction would do, and `strata rewind`. */

import { type AgentPorts, openSession } from "../core/agent/session/openSession";
import { previewReport } from "../core/context/compaction/compactionReport";
import type { Report } from "../core/ground/text/report";
import type { AgentEvent } from "../shared/events";
import { plural, t } from "../shared/l10n";
import type { RewindPreview } from "../shared/panelSnapshot";
import type { CommandOf } from "./args";
import { recordText, type Streams } from "./eventPrinter";
import { EXIT, jsonLine, printReport } from "./output";

/** `strata compact ID --preview`. Rejects with SessionError, StorageError and the errors of opening a session. */
export async function previewCompaction({ session: id }: CommandOf<"compact">, ports: AgentPorts, { out }: Streams) {
  const session = await openSession(ports, id);
  try {
    const use = await session.compaction.use();
    printReport(previewReport(await session.compaction.preview(), use), { out });
    return EXIT.done;
  } finally {
    await session.close();
  }
}

/** Rejects with SessionError, StorageError and the errors of opening a session. */
export async function rewind(command: CommandOf<"rewind">, ports: AgentPorts, streams: Streams): Promise<number> {
  const { session: id, turn, what, preview, json } = command;
  const session = await openSession(ports, id);
  try {
    if (preview && turn !== undefined) {
      const found = await session.rewind.preview(turn);
      if (json) streams.out(`${JSON.stringify(found)}\n`);
      else printReport(rewindPreviewReport(found), streams);
      return EXIT.done;
    }
    const print = json ? (event: AgentEvent) => streams.out(jsonLine(event)) : undefined;
    if (print) {
      session.subscribe(print);
      print(session.hello());
    }
    const record = await (turn === undefined ? session.rewind.undo() : session.rewind.rewind(turn, what));
    if (!json) streams.err(`${recordText(record)}\n`);
    return record.cutOff ? EXIT.error : EXIT.done;
  } finally {
    await session.close();
  }
}

/** What a rewind would do. */
function rewindPreviewReport({ turn, turns, files, stays, gaps }: RewindPreview): Report {
  const marks = { changed: "~", created: "+", deleted: "-" };
  const back = plural(
    turns,
    "Back to before turn {1}: 1 turn leaves the conversation, and can be gone back to.",
    "Back to before turn {1}: {0} turns leave the conversation, and can be gone back to.",
    turn,
  );
  const title = files.length > 0 ? t("Files (~ changed, + created, - deleted):") : t("No files would change.");
  const lines = files.map(({ path, becomes, merged, during }) => {
    const notes = [merged && t("changed since; that stays"), during && t("made while this ran: {0}", during)];
    const from = notes.filter(Boolean).join("; ");
    return { label: `${marks[becomes]} ${path}`, ...(from !== "" && { from }) };
  });
  const sections = [
    { title: back, lines: [] },
    { title, lines, warnings: [...stays, ...gaps] },
  ];
  return { title: t("What a rewind would do"), sections };
}
