import assert from "node:assert/strict";
import { withoutAdvice } from "../../src/shared/withoutAdvice";

describe("a failure's sentence without its advice", () => {
  const check = (message: string, expected: string) =>
    it(message, () => assert.equal(withoutAdvice(message), expected));
  check("The server at http://a/v1 failed (500); try again in a moment.", "The server at http://a/v1 failed (500).");
  check('It failed: "overloaded; come later"; try again.', 'It failed: "overloaded; come later".');
  check('It failed: "overloaded; come later".', 'It failed: "overloaded; come later".');
  check("It sent an empty answer.", "It sent an empty answer.");
});
