/** How servers say that a request is too long: of real answers those that other words read (`models/refusals.ts`). */
import { openai, type ServerAnswer } from "./bodies";
import refusals from "./contextBodies.json";

const rows = refusals as [server: string, status: number, words: string, code?: string][];

export const contextAnswers: readonly ServerAnswer[] = rows.map(([server, status, words, code = null]) => ({
  ...{ server, status, body: openai(words, "invalid_request_error", code) },
  ...{ code: "context-too-long", retryable: false },
}));
