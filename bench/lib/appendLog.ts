/** A session's log on its real adapters, as a session has it; bundled by bench/append.mjs. */
import { encodeLine } from "../../src/core/log/codec";
import { History } from "../../src/core/log/history";
import { createRedactor } from "../../src/core/secrets/redact";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds } from "../../src/node/system";
import type { NewRecord } from "../../src/shared/records";

/** One session whose records are appended, and one whose storage is given text alone. */
export async function openLogs(folder: string) {
  const storage = new NodeStorage(folder);
  const logged = await storage.create("ses_history");
  const plain = await storage.create("ses_storage");
  const redactor = createRedactor(text => nodeHash.sha256(`bench ${text}`), { environment: process.env });
  const history = new History(logged, {
    ...{ clock: nodeClock, ids: nodeIds, hash: nodeHash, redact: redactor.redact, emit: () => undefined },
  });
  return {
    /** @returns the line as it stands in the log */
    append: async (record: NewRecord): Promise<string> => (await history.appendAll([record])).map(encodeLine).join(""),
    appendText: (text: string): Promise<void> => plain.append("history.jsonl", text),
    close: async () => {
      await logged.close();
      await plain.close();
    },
  };
}
