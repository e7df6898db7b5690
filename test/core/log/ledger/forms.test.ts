/** In whatever form something is said, it stands in the ledger: alone, and after hundreds of requests, in windows small and large. */
import assert from "node:assert/strict";
import { ledgerRoom } from "../../../../src/core/log/ledger/pages";
import { grow, words } from "./grow";

const pick = (all: readonly string[], at: number) => all[at % all.length] ?? "";
const times = (many: number, line: (at: number) => string) => Array.from({ length: many }, (_, at) => line(at));

/** Prose with a number in each sentence, none of which matters. */
const prose = (many: number) =>
  times(many, at => {
    const [who, what] = [
      pick(["the team", "a customer", "an auditor"], at),
      pick(["price", "weight", "shape", "rate"], at),
    ];
    return `In the ${pick(["spring", "summer", "winter"], at)} we talked with ${who} about item ${at} and its ${what}, which fell a lot.`;
  }).join(" ");
const log = (many: number) =>
  times(
    many,
    at =>
      `2026-11-2${at % 9} 10:${String(at % 60).padStart(2, "0")}:07 ERROR src/pipeline/stage${at}.ts:${at} Timeout after ${at * 37} ms`,
  );

/** What is said, and what has to stand. */
const FORMS: Record<string, [text: string, needle: string]> = {
  "amid 20 KB of prose": [`${prose(120)} The vault door code is kestrel-77. ${prose(120)}`, "kestrel-77"],
  "at the end of 20 KB of prose": [`${prose(240)} The vault is called Lanternfish.`, "Lanternfish"],
  "below 600 lines": [
    `${times(600, at => `- point ${at} is fine.`).join("\n")}\nThe vault is called Lanternfish.`,
    "Lanternfish",
  ],
  "at the end of 3 KB without a full stop": [
    `${"so I was thinking we could go and ".repeat(80)}and the vault is called Lanternfish`,
    "Lanternfish",
  ],
  "at the end of a long Chinese sentence": [`${"我们在考虑这个问题的时候".repeat(60)}金库叫做翠鸟`, "金库叫做翠鸟"],
  "at the end of long Hindi sentences": [
    `${"यह एक लंबा वाक्य है जो बहुत कुछ कहता है। ".repeat(30)}पोर्ट 8551 है।`,
    "पोर्ट 8551",
  ],
  "at the end of long Urdu sentences": [`${"یہ ایک لمبا جملہ ہے۔ ".repeat(50)}پورٹ 8553 ہے۔`, "8553"],
  "at the end of long Burmese sentences": [`${"ဤဝါကျသည်ရှည်လျားသည်။".repeat(40)}ပို့ 8559 ဖြစ်သည်။`, "8559"],
  "in Thai": ["เซิร์ฟเวอร์ทดสอบใช้พอร์ต 8552", "8552"],
  "from right to left": ["השרת בפורט 8554", "8554"],
  "with emoji": ["🚀 ship on Friday 🎉 only", "🚀 ship on Friday 🎉 only"],
  "in a list below a lead": [
    "Never:\n- push to main\n- use port 8080",
    "Never: - push to main - use port 8080".slice(7, 40),
  ],
  "in a table": [
    "Our ports:\n\n| service | port |\n|---|---|\n| web | 8443 |\n| db | 55432 |\n| cache | 6390 |",
    "| db | 55432 |",
  ],
  "amid a long table": [
    `| service | port |\n|---|---|\n${times(24, at => (at === 12 ? "| kestrel | 7777 |" : `| svc${at} | ${9000 + at} |`)).join("\n")}`,
    "| kestrel | 7777 |",
  ],
  "in a heading": ["# Use Lanternfish as the name\n\nthanks", "Use Lanternfish"],
  "amid a pasted log": [
    [...log(30), "By the way, our vault is called Lanternfish.", ...log(30)].join("\n"),
    "Lanternfish",
  ],
  "right above a pasted log": [
    `Our vault is called Lanternfish, and this fails:\n${log(60).join("\n")}`,
    "Lanternfish",
  ],
  "right below a pasted log": [`${log(60).join("\n")}\nOur vault is called Lanternfish.`, "Lanternfish"],
  "in a quote of one's own": [
    `> We deploy on Lanternfish, ${"since the others are too slow for what we do ".repeat(6)}on port 8443`,
    "port 8443",
  ],
  "in a fence": ["Use this:\n```\nPORT=8443\nHOST=kestrel\n```", "PORT=8443"],
  "at the end of a longer fence": [
    `Use this:\n\`\`\`\n${times(20, at => `SETTING_${at}=value${at}`).join("\n")}\nKESTREL_PORT=8443\n\`\`\``,
    "KESTREL_PORT=8443",
  ],
  "amid twenty lines that were typed": [
    times(20, at =>
      at === 10
        ? "the vault is called Lanternfish"
        : `${pick(["our shop in Graz", "Ms. Novak", "the old depot", "whoever calls at night"], at)} wants number ${at} by ${pick(["noon", "Friday", "next week"], at)}`,
    ).join("\n"),
    "Lanternfish",
  ],
  "amid settings that were typed": [
    times(14, at => (at === 7 ? "KESTREL_PORT=8443" : `SETTING_${at}=value${at}`)).join("\n"),
    "KESTREL_PORT=8443",
  ],
  "in one word": ["Postgres", "Postgres"],
  "below one long line that was pasted": [
    `${JSON.stringify(times(200, at => `x${at}`))}\nThe vault is called Lanternfish.`,
    "Lanternfish",
  ],
};

const requests = times(300, at =>
  pick([`Go on with module ${at}.`, `Now the same for src/module${at}/index.ts, please.`, `Good. Next: ${at}.`], at),
);

/** Five leave with each compaction. */
function said(messages: readonly string[], window: number): string {
  const all = messages.map((text, at) => words(text, at + 1));
  const batches = times(Math.ceil(all.length / 5), at => String(at)).map((_, at) => all.slice(5 * at, 5 * at + 5));
  return grow(batches, ledgerRoom(window)).text;
}

describe("something said stands in the ledger", () => {
  for (const [form, [text, needle]] of Object.entries(FORMS))
    it(form, () => {
      for (const window of [8_000, 16_000, 32_000, 64_000]) {
        assert.ok(said([text], window).includes(needle), `alone, window ${window}`);
        assert.ok(said([text, ...requests], window).includes(needle), `before 300 requests, window ${window}`);
      }
    });
});

describe("the order of what was said", () => {
  const text = (batches: readonly string[][]) => {
    let turn = 0;
    return grow(
      batches.map(batch =>
        batch.map(each => {
          turn += 1;
          return words(each, turn);
        }),
      ),
      4_000,
    )
      .text.split("\n")
      .filter(line => /^\* turn/.test(line))
      .join("\n");
  };

  const ORDERS: Record<string, [batches: string[][], want: RegExp]> = {
    "a correction stands behind what it corrects": [
      [["Use port 8443."], ["Not 8443 but 9443."]],
      /8443\.”\n\s*\* turn 2: “Not 8443 but 9443\./,
    ],
    "what is said again in one compaction stands where it was said last": [
      [["Use tabs.", "Use spaces.", "use tabs"]],
      /^\* turn 2: “Use spaces\.”\n\* turn 3: “use tabs”$/,
    ],
    "what is said again later is named again": [
      [["Use tabs."], ["Use spaces."], ["Use tabs!"]],
      /turn 1: “Use tabs\.”\n\s*\* turn 2: “Use spaces\.”\n\s*\* turn 3: again, as in turn 1$/,
    ],
    "beside something new, too": [
      [["English, please."], ["Auf Deutsch bitte."], ["English, please. And be short."]],
      /\* turn 3: “And be short\.” \(and again, as in turn 1\)$/,
    ],
    "a habit is not named for ever": [
      times(9, () => "").map(() => ["Go on."]),
      /^\* turn 1: “Go on\.”\n\s*\* turn 2: again, as in turn 1\n\s*\* turn 3: again, as in turn 1\s*$/,
    ],
    "the same item below another line is another one": [
      [["Use:\n- tabs\n- JUnit"], ["Never use:\n- tabs"]],
      /Use: - tabs - JUnit”\n\s*\* turn 2: “Never use: - tabs”/,
    ],
    "the same line above other items stays with them": [
      [["Never:\n- push"], ["Never:\n- mock"]],
      /Never: - push”\n\s*\* turn 2: “Never: - mock”/,
    ],
    "the same line above two lists of one message": [[["Never:\n- push\n\nNever:\n- mock"]], /“Never: - push.*- mock/],
  };
  for (const [what, [batches, want]] of Object.entries(ORDERS))
    it(what, () => assert.match(text(batches).trim(), want));

  it("the same answer to another question is another answer", () => {
    const asked = (question: string, turn: number) => words("yes", turn, { asked: question });
    const { text: all } = grow(
      [
        [asked("Tabs?", 1), asked("Delete old?", 2)],
        [asked("Tabs?", 3), words("yes", 4)],
      ],
      900,
    );
    assert.match(all, /turn 1, answering your question 1: “yes”\n\* turn 2, answering your question 2: “yes”/);
    assert.match(all, /turn 3, answering your question 3: again, as in turn 1\n\* turn 4: “yes”/);
    assert.match(all, /\* question 2, turn 2: ‹Delete old\?›[\s\S]*\* question 3, turn 3: ‹Tabs\?›/);
  });

  it("without room the last time counts, in full", () => {
    const requested = times(60, at => `Please have a look at the thing number ${at}.`).map((each, at) =>
      words(each, at + 4),
    );
    const batches = [[words("Use tabs.", 1)], [words("Use spaces.", 2)], [words("Use tabs.", 3)], requested];
    const { text: all, kinds } = grow(batches, 300);
    assert.ok(kinds.includes("rebuilt"));
    assert.match(all, /turn 2: “Use spaces\.”\n\* turn 3: “Use tabs\.”/);
    assert.doesNotMatch(all, /again, as/);
  });
});

describe("a page in the place of all", () => {
  const requested = (many: number) =>
    times(many, at => `Please have a look at the thing number ${at}.`).map((each, at) => words(each, at + 3));

  it("still tells a log from what was said", () => {
    const pasted = words(`This is it:\n${log(40).join("\n")}\n\nWe like short answers here.`, 1);
    const { pages } = grow(
      [[pasted], ...times(8, () => "").map(() => requested(30)), [words("x".repeat(900), 50)]],
      260,
    );
    const shown = pages.flatMap(({ entries }) => entries).flatMap(({ pieces }) => pieces.map(({ text }) => text));
    assert.ok(shown.includes("We like short answers here."), shown.join("\n"));
    assert.ok(!shown.some(each => each.includes("ERROR src/pipeline")), shown.join("\n"));
  });

  it("says where it left something out, also the second time", () => {
    const long = words(
      `Host h1.example. ${times(40, at => `We went on and on about part ${at}.`).join(" ")} Host h2.example.`,
      1,
    );
    const { text } = grow([[long], requested(20), requested(40)], 150);
    assert.match(text, /Host h1\.example\. We .* … We .* Host h2\.example\./);
  });
});
