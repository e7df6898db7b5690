import assert from "node:assert/strict";
import { translationIn } from "../../src/cli/language";

describe("the language of a terminal", () => {
  const rows: [Record<string, string>, string | undefined][] = [
    [{}, undefined],
    [{ LANG: "en_US.UTF-8" }, undefined],
    [{ LANG: "zh_CN.UTF-8" }, "zh-cn"],
    [{ LANG: "zh_SG" }, "zh-cn"],
    [{ LANG: "zh-Hans-CN" }, "zh-cn"],
    [{ LANG: "zh" }, "zh-cn"],
    [{ LANG: "zh_TW.UTF-8" }, undefined],
    [{ LANG: "zh_HK" }, undefined],
    [{ LANG: "zhuang" }, undefined],
    [{ LANG: "zh_CN.UTF-8", LC_ALL: "C" }, undefined],
    [{ LANG: "zh_CN.UTF-8", LC_MESSAGES: "en_GB.UTF-8" }, undefined],
    [{ LANG: "en_US.UTF-8", LANGUAGE: "zh_CN:en" }, "zh-cn"],
    [{ LANG: "C", LANGUAGE: "zh_CN" }, undefined],
    [{ LANG: "fr_FR.UTF-8" }, undefined],
  ];
  for (const [env, expected] of rows) it(JSON.stringify(env), () => assert.equal(translationIn(env), expected));
});
