/** A model of the editor that plays pieces and keeps what it was asked. */
import type { ChatMessage, ChatPiece, ChatTool, EditorChat } from "../../src/models/editorModel";

interface FakeChat extends EditorChat {
  asked: { turns: readonly ChatMessage[]; tools: readonly ChatTool[] }[];
}

/** @param answer what it says to each request, by its number from 0 */
export function fakeChat(
  answer: (request: number, signal: AbortSignal) => Iterable<ChatPiece> | AsyncIterable<ChatPiece>,
  options: Partial<EditorChat> = {},
): FakeChat {
  const asked: FakeChat["asked"] = [];
  return {
    ...{ name: "acme/one", title: "One", maxInputTokens: 64_000, seesImages: false, asked },
    async send(turns, tools, signal) {
      const request = asked.push({ turns: structuredClone(turns) as ChatMessage[], tools }) - 1;
      return (async function* () {
        yield* answer(request, signal);
      })();
    },
    ...options,
  };
}
