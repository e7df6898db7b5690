/**
 * Which of the facts that a person told still stand in the request after 1, 3, 5 and 10 compactions: by window, by who summarises,
 * by language. `node bench/survival.mjs`
 */
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const WINDOWS = [32_000, 64_000, 200_000];

const work = temporary("bench-survival");
try {
  const { survival, FACTS, SUMMARISERS } = await load("bench/lib/survival.ts", work.path);
  const line = ({ after, asked, turnsApart, ledgerTokens, ledgerCost }, of) => {
    const curve = [...after]
      .map(([mark, { kept, told }]) => `${mark}: ${kept}${told < of ? ` of ${told} told` : ""}`)
      .join(", ");
    const lost = after.get(10)?.lost ?? [];
    return {
      unit: `of ${of}`,
      digits: 0,
      note: `after ${curve}; ledger ${ledgerTokens} tokens, ${Math.round(ledgerCost)} effective a request of five a turn; ${asked} requests for summaries; ${turnsApart.toFixed(1)} turns apart${lost.length > 0 ? `; lost: ${lost.join(" | ")}` : ""}`,
    };
  };
  for (const window of WINDOWS) {
    title(`24 facts, window ${window.toLocaleString("en")}: in the request after ten compactions`);
    for (const summariser of Object.keys(SUMMARISERS)) {
      const result = await survival({ window, language: "English", summariser });
      row(`summaries ${summariser}`, result.after.get(10)?.kept ?? -1, { ...line(result, 24) });
    }
  }
  const paragraphs = [
    [true, "that has nothing to remember"],
    ["names", "of which each sentence names a file"],
    ["concrete", "of facts"],
  ];
  for (const [wordy, what] of paragraphs) {
    title(`24 facts, each request a paragraph ${what}: more is said than there is room for`);
    for (const window of WINDOWS) {
      const result = await survival({ window, language: "English", summariser: "lazy", wordy });
      row(`window ${window.toLocaleString("en")}`, result.after.get(10)?.kept ?? -1, line(result, 24));
    }
  }
  title("6 facts in other languages, window 64,000");
  for (const language of Object.keys(FACTS).filter(each => each !== "English")) {
    const result = await survival({ window: 64_000, language, summariser: "lazy" });
    row(language, result.after.get(10)?.kept ?? -1, { ...line(result, 6) });
  }
} finally {
  work.remove();
}
