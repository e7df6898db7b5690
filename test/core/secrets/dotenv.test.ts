import assert from "node:assert/strict";
import { parseEnv } from "../../../src/core/secrets/redact";
import { isEnvFile } from "../../../src/shared/envFile";

describe("an .env file", () => {
  const check = (title: string, text: string, expected: readonly string[]) =>
    it(title, () =>
      assert.deepEqual(
        parseEnv(text).map(({ name, value }) => `${name}=${value}`),
        expected,
      ),
    );

  check("plain", "A=one\nB = two \n", ["A=one", "B=two"]);
  check("export, set, PowerShell, YAML's colon", "export A=one\nset B=two\n$env:C=three\nD: four", [
    ...["A=one", "B=two", "C=three", "D=four"],
  ]);
  check(
    "shells' other ways to set",
    "readonly A=one\ndeclare -x B=two\ntypeset -r -x C='three'\n  local D=four\nE+=five\n// F=six\nexport -- G=x\nsetA=y",
    ["A=one", "B=two", "C=three", "D=four", "E=five", "F=six", "setA=y"],
  );
  check("a mark of the byte order", "\uFEFFA=one", ["A=one"]);
  check("line ends of Windows and of old Macs", "A=one\r\nB=two\rC=three", ["A=one", "B=two", "C=three"]);
  check("in quotes", "A=\"o n e\"\nB='t#o'\nC=`three`", ["A=o n e", "B=t#o", "C=three"]);
  check("a comment behind quotes", 'A="one" # words', ["A=one"]);
  check("escaped, as it stands and as it is meant", String.raw`A="o\"n\te"`, [String.raw`A=o\"n\te`, 'A=o"n\te']);
  check("a backslash in single quotes", String.raw`A='o\n'`, [String.raw`A=o\n`]);
  check("line ends written out", String.raw`A="one\ntwo"`, [String.raw`A=one\ntwo`, "A=one\ntwo"]);
  check("over several lines", 'A="one\ntwo\n"\nB=x', ["A=one", "B=x", "A=one\ntwo\n"]);
  check("over several lines, in other quotes", "A='one\ntwo'\nB=`x\ny`", ["A=one", "B=x", "A=one\ntwo", "B=x\ny"]);
  check("a # in a value: dotenv and a shell differ", "A=one#two three", ["A=one#two three", "A=one", "A=one#two"]);
  check("a comment behind a value", "A=one # two", ["A=one # two", "A=one"]);
  check("two on a line", "export A=one; export B=two", ["A=one; export B=two", "A=one"]);
  check("commented out", "# A=one\n#B=two", ["A=one", "B=two"]);
  check("a quote that does not end takes nothing of the next line along", 'A="one\nB=two', ["A=one", "B=two"]);
  check("empty values and other lines", "A=\nwords\n\n=x\n1A=x\nhttp://x=y", []);

  it("is told by its name", () => {
    const names = ".env .env.local .ENV .env-prod .env_test .envrc prod.env .environment env .env.ts.bak a.envelope";
    assert.deepEqual(
      names.split(" ").filter(isEnvFile),
      ".env .env.local .ENV .env-prod .env_test .envrc prod.env .env.ts.bak".split(" "),
    );
  });
});
