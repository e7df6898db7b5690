/** How long it takes to say whether a sentence was in view; bundled by bench/inView.mjs. */
import { ViewSearch } from "../../src/core/proof/inView";
import { hash } from "../../test/fakes/hash";
import { playViewed } from "../../test/fakes/viewedSession";

export { rightView, viewOf } from "../../test/fakes/viewedSession";

const RULE = "Never push to main without a review.";
const TURNS = 45;
const RUNS = 15;

/** 200 requests, two compactions, a rule that the first ones had. */
export async function timedViews() {
  const read = (turn: number) => [1, 2, 3, 4].map(n => ["Read", { file_path: `src/${(turn * n) % 7}.ts` }] as const);
  const turns = Array.from({ length: TURNS }, (_, at) => [
    ["say", `Question ${at}.\n{{4}}`, ...read(at), "{{40}}"],
    ...(at % 15 === 14 ? [["compact"]] : []),
    ...(at === 1 ? [["write", "AGENTS.md", "A.\n{{200}}"]] : []),
  ]).flat();
  const files = [0, 1, 2, 3, 4, 5, 6].map(at => ["write", `src/${at}.ts`, `{{${40 * at + 20}}}`]);
  const steps = [["write", "AGENTS.md", `${RULE}\n{{200}}`], ...files, ...turns] as never;
  return playViewed({ name: "", form: "none", steps }, "", async ({ history }) => {
    const asked = {
      "a rule of the first turns": RULE,
      "a rule that never was": "Nobody said this.",
      "all that was": undefined,
    };
    const times: Record<string, number[]> = {};
    let requests = 0;
    for (const [name, sentence] of Object.entries(asked)) {
      times[name] = [];
      for (let run = 0; run < RUNS; run++) {
        const start = process.cpuUsage();
        const { request } = await (await ViewSearch.open(history.files, hash)).view({}, sentence);
        const { user, system } = process.cpuUsage(start);
        times[name]?.push((user + system) / 1000);
        requests = request.number;
      }
    }
    return { times, requests };
  });
}
