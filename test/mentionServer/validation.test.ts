/** When a document is looked at, and which answers count. */
import assert from "node:assert/strict";
import type { Diagnostic } from "vscode-languageserver-protocol";
import { TextDocument } from "vscode-languageserver-textdocument";
import { Validation } from "../../src/mentionServer/problems";
import { eventually } from "../fakes/eventually";

const URI = "untitled:Untitled-1";
const opened = (text: string) => TextDocument.create(URI, "markdown", 1, text);
const problem = (message: string): Diagnostic => ({
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
  message,
});

describe("mention server: validation", () => {
  let document: TextDocument | undefined;
  let published: Diagnostic["message"][][];
  let asked: { document: TextDocument; answer: PromiseWithResolvers<Diagnostic[] | undefined> }[];
  let logged: string[];
  let validation: Validation;
  beforeEach(() => {
    [document, published, asked, logged] = [opened("one"), [], [], []];
    validation = new Validation({
      all: () => (document ? [document] : []),
      get: () => document,
      problems: of => {
        const answer = Promise.withResolvers<Diagnostic[] | undefined>();
        asked.push({ document: of, answer });
        return answer.promise;
      },
      publish: (_uri, _version, diagnostics) => void published.push(diagnostics.map(({ message }) => message)),
      log: message => void logged.push(message),
    });
  });
  const question = (number: number) => eventually(`question ${number} is asked`, () => asked[number]);

  it("an answer for a document that was closed says nothing of the next one of that address and version", async () => {
    validation.later(URI);
    const first = await question(0);
    validation.closed(URI);
    document = opened("two");
    validation.later(URI);
    const second = await question(1);
    assert.equal(second.document, document);
    second.answer.resolve([problem("of two")]);
    first.answer.resolve([]);
    await eventually("it is published", () => published[0]);
    assert.deepEqual(published, [["of two"]]);
  });

  it("looks again where the editor could not be asked", async () => {
    validation.later(URI);
    (await question(0)).answer.reject(new Error("cut off"));
    (await question(1)).answer.resolve([problem("of one")]);
    assert.deepEqual(await eventually("it is published", () => published[0]), ["of one"]);
    assert.deepEqual(logged, [`${URI} could not be looked at: Error: cut off`]);
  });

  it("does not look again at what was closed", async () => {
    validation.later(URI);
    const { answer } = await question(0);
    validation.closed(URI);
    document = undefined;
    answer.reject(new Error("cut off"));
    await eventually("it is logged", () => logged[0]);
    document = opened("two");
    validation.allLater();
    (await question(1)).answer.resolve([]);
    assert.equal(asked.length, 2);
  });
});
