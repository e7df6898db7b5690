import assert from "node:assert/strict";
import { type AnswerPiece, ReactParser } from "../../../src/models/react/parser";
import { malformed, type ReactAnswer, tools, wellFormed } from "../../fixtures/react/answers";

/** What comes of an answer that arrives in pieces of so many characters. */
function read(answer: string, size: number, isWhole = true): AnswerPiece[] {
  const parser = new ReactParser(tools);
  const pieces: AnswerPiece[] = [];
  for (let at = 0; at < answer.length && !parser.isOver; at += size)
    pieces.push(...parser.push(answer.slice(at, at + size)));
  return parser.isOver ? pieces : [...pieces, ...parser.end(isWhole)];
}

function summary(pieces: readonly AnswerPiece[]): Omit<ReactAnswer, "name" | "answer"> {
  const blocks: string[] = [];
  for (const piece of pieces) if (piece.type === "text") blocks[piece.block] = (blocks[piece.block] ?? "") + piece.text;
  return {
    calls: pieces.flatMap(piece => (piece.type === "call" ? [{ name: piece.name, input: piece.input }] : [])),
    text: blocks.filter(block => block !== undefined).join("\n"),
  };
}

const fits = ({ answer, calls, text }: ReactAnswer, size: number): boolean => {
  try {
    assert.deepEqual(summary(read(answer, size)), { calls, text });
    return true;
  } catch {
    return false;
  }
};

describe("models: answers of the text protocol", () => {
  it("there are two hundred of them, each another", () => {
    const all = [...wellFormed, ...malformed];
    assert.ok(all.length >= 200, String(all.length));
    assert.equal(new Set(all.map(({ answer }) => answer)).size, all.length);
  });

  for (const size of [1, 3, 7, 10_000]) {
    it(`well-formed ones are all read, ${size} characters at a time`, () => {
      for (const { name, answer, calls, text } of wellFormed)
        assert.deepEqual(summary(read(answer, size)), { calls, text }, name);
    });

    it(`of the malformed but clear ones 95 in a hundred are read, ${size} characters at a time`, () => {
      const missed = malformed.filter(each => !fits(each, size)).map(({ name }) => name);
      assert.ok(missed.length <= 0.05 * malformed.length, missed.join("\n"));
    });
  }
});
