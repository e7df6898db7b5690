/** Every sentence for people has its translation, and no translation is left over. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/install.mjs";
import { isTranslated, wordsOfPrograms } from "./rooms";
import { type FileSentences, holesOf, sentencesIn } from "./sentences";

const paths = globSync("{src,webview-ui/src}/**/*.{ts,tsx}", { cwd: root, exclude: ["src/shared/l10n.ts"] }).map(path =>
  path.replaceAll("\\", "/"),
);
const translations = globSync("l10n/bundle.l10n.*.json", { cwd: root });

async function allSentences(): Promise<Map<string, FileSentences>> {
  const read = async (path: string) => [path, await sentencesIn(path, readFileSync(join(root, path), "utf8"))] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** Half-width punctuation or no blank between Chinese and Latin letters; words that have another word in the glossary. */
const unlike =
  /\p{Script=Han}(?:[,;:!?(]|\.(?!\.)|[A-Za-z0-9])|[,;!?)A-Za-z0-9]\p{Script=Han}|[您！]|提供方|仓库|归档|对话|不可信|轮次|(?<!访问)令牌/u;

describe("translations", () => {
  let files: Map<string, FileSentences>;
  before(async function () {
    this.timeout(60_000);
    files = await allSentences();
  });

  it("every key is a literal, and is asked for once a language is loaded", () => {
    const faults = [...files.values()].flatMap(each => each.faults);
    assert.equal(faults.join("\n"), "");
  });

  it("no sentence for people passes by the translations", () => {
    const bare = [...files].flatMap(([path, { bare: found }]) =>
      isTranslated(path) ? found.filter(text => !wordsOfPrograms(path, text)).map(text => `${path}: ${text}`) : [],
    );
    assert.equal(bare.join("\n"), "");
  });

  for (const file of translations)
    it(`${file} has every sentence with its holes, and no other`, () => {
      const translation: Record<string, string> = JSON.parse(readFileSync(join(root, file), "utf8"));
      const all = [...files.values()];
      const singulars = new Set(all.flatMap(each => each.singulars));
      const keys = new Set(["en", ...all.flatMap(each => each.keys)]);
      const needed = [...keys].filter(key => !singulars.has(key) || key in translation);
      const missing = needed.filter(key => !translation[key]);
      const unused = Object.keys(translation).filter(key => !keys.has(key));
      const differ = needed.filter(key => holesOf(translation[key] ?? "").join() !== holesOf(key).join());
      assert.deepEqual({ missing, unused, differ }, { missing: [], unused: [], differ: [] });
    });

  it("Chinese is written as docs/words.md says", () => {
    const files = ["l10n/bundle.l10n.zh-cn.json", "package.nls.zh-cn.json"];
    const all = files.flatMap(file => Object.entries<string>(JSON.parse(readFileSync(join(root, file), "utf8"))));
    const proxies = all.filter(([english]) => !/prox|setting\.bash\.network/i.test(english));
    const found = [
      ...all.filter(([, chinese]) => unlike.test(chinese)),
      ...proxies.filter(([, chinese]) => chinese.includes("代理")),
    ];
    assert.deepEqual(Object.fromEntries(found), {});
  });

  it("finds what is wrong", async () => {
    const code = `import { t } from "./l10n";
const early = t("Too early");
export const label = (n: number) => <a title="Not translated" className="a b">{t(\`\${n} files\`)}{n === 1 ? t("One file") : plural(n, "{0} file", "{0} files")}</a>;`;
    const { keys, singulars, bare, faults } = await sentencesIn("a.tsx", code);
    assert.deepEqual(keys.toSorted(), ["One file", "Too early", "{0} file", "{0} files"]);
    assert.deepEqual(singulars, ["{0} file"]);
    assert.deepEqual(bare, ["Not translated"]);
    assert.equal(faults.length, 2);
    assert.deepEqual(holesOf("{1} of {0}, {1}"), ["{0}", "{1}"]);
  });
});
