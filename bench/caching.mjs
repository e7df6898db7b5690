/**
 * What a long turn and a long session with compactions cost by Anthropic's rules: tokens read from the cache count a tenth, tokens put there 1.25. Over
 * HTTP, with a server that counts what was cached from the bytes it got; beside it the same requests without cache points.
 */
import { load } from "./lib/bundle.mjs";
import { temporary } from "./lib/cli.mjs";
import { row, title } from "./lib/figures.mjs";

const READ = 0.1;
const WRITE = 1.25;

const million = (name, tokens, more) => row(name, tokens / 1e6, { unit: "M", digits: 2, ...more });

const work = temporary("bench-caching");
try {
  const { conversation, longTurn, playCached } = await load("bench/lib/context/caching.ts", work.path);
  const sessions = [
    ["One turn of 60 steps and five of 6", longTurn, {}],
    ["60 turns in a window of 64k", conversation, { "model.contextWindow": 64_000 }],
  ];
  for (const [name, scenario, settings] of sessions) {
    for (const model of ["claude-sonnet-4-5", "claude-opus-5-5"]) {
      const { requests, fresh, read, written, missed, reported, refused } = await playCached(
        scenario(),
        model,
        settings,
      );
      const sent = fresh + read + written;
      const effective = fresh + READ * read + WRITE * written;
      title(`${name}, ${model}: ${requests} requests (tokens by the server's count)`);
      million("sent", sent, { note: "what counts where nothing is cached" });
      million("fresh, neither read nor written", fresh);
      million("read from the cache", read);
      million("written into the cache", written);
      million("in the cache, and not read", missed, { aim: 0 });
      million("effective (fresh + 0.1 × read + 1.25 × written)", effective);
      row("ratio to the same without cache points", effective / sent, { unit: "", digits: 3, aim: 0.5 });
      row("not recorded of what was cached", read + written - reported.read - reported.written, {
        unit: "",
        digits: 0,
        aim: 0,
      });
      row("requests refused", refused.length, { unit: "", digits: 0, aim: 0, note: refused[0] ?? "" });
    }
  }
} finally {
  work.remove();
}
