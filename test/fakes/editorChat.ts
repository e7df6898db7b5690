/** A model of the editor that plays pieces and keeps what it was asked. */
import type { ChatMessage } from "../../src/models/chatMessages";
import type { ChatPiece, ChatTool, EditorChat } from "../../src/models/editorModel";

interface FakeChat extends EditorChat {
  asked: { turns: readonly ChatMessage[]; tools: readonly ChatTool[] }[];
  /** the texts that were counted, request by request */
  counted: string[];
}

/** A token is a word. @param answer what it says to each request, by its number from 0 */
export function fakeChat(
  answer: (request: number, signal: AbortSignal) => Iterable<ChatPiece> | AsyncIterable<ChatPiece>,
  options: Partial<EditorChat> = {},
): FakeChat {
  const asked: FakeChat["asked"] = [];
  const counted: string[] = [];
  return {
    ...{ name: "acme/one", title: "One", maxInputTokens: 64_000, seesImages: false, asked, counted },
    async send(turns, tools, signal) {
      const request = asked.push({ turns: structuredClone(turns) as ChatMessage[], tools }) - 1;
      return (async function* () {
        yield* answer(request, signal);
      })();
    },
    async count(text) {
      counted.push(text);
      return text.split(/\s+/).filter(Boolean).length;
    },
    ...options,
  };
}
