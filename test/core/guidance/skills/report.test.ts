/** The page that shows skills and prompts. */
import assert from "node:assert/strict";
import { marked } from "marked";
import { reportPage } from "../../../../src/core/ground/text/report";
import { skillsReport } from "../../../../src/core/guidance/skills/knownSkills";

const skillsPage = (set: Parameters<typeof skillsReport>[0]) => reportPage(skillsReport(set))[1];
const skill = {
  ...{
    name: "deploy",
    path: ".claude/skills/deploy/SKILL.md",
    folder: ".claude/skills/deploy",
    argumentHint: "[where]",
  },
  ...{ description: "", text: "", cutBytes: 0, trust: "rules", warnings: [], forModel: true, forPeople: true },
} as const;

describe("the page of skills", () => {
  it("is prose with names in bold, and code font for places alone", () => {
    const html = String(
      marked.parse(
        skillsPage({
          skills: [{ ...skill, description: "Brings it out" }] as never,
          prompts: [],
          agents: [],
          broken: [],
        }),
      ),
    );
    assert.match(html, /<strong>\/deploy \[where\]<\/strong>/);
    assert.match(html, /<br>Brings it out<br>/);
    assert.deepEqual(html.match(/<code>.*?<\/code>/g), [
      "<code>/</code>",
      "<code>.claude/skills/deploy/SKILL.md</code>",
    ]);
  });

  it("makes nothing of what a description has", () => {
    const description = "<img src=x> ![a](http://b) [c](command:d) **e** https://f.example `g` | h\n# i &lt;";
    const html = String(
      marked.parse(skillsPage({ skills: [{ ...skill, description }] as never, prompts: [], agents: [], broken: [] })),
    );
    const [line = ""] = /<br>(.*)<br>/.exec(html) ?? [];
    assert.doesNotMatch(line.replaceAll("<br>", ""), /</, html);
    assert.doesNotMatch(html, /<(?:a|img|em|h1 id="i|del)\b/);
  });
});
