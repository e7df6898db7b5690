/** Lines of a log, as another window would have written them. */
export const header = (id: string, created: number) =>
  `${JSON.stringify({ kind: "header", version: 1, sessionId: id, created, archives: [] })}\n`;

export const userMessage = (text: string, ts: number, turn = 1) =>
  `${JSON.stringify({
    kind: "message",
    id: `rec_${ts}`,
    seq: 1,
    ts,
    parentId: null,
    message: {
      id: `msg_${ts}`,
      role: "user",
      parts: [{ type: "text", text }],
      metadata: { ts, turn, step: 0, runId: "run_1", kind: "normal" },
    },
  })}\n`;
