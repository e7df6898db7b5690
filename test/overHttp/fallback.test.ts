/** A turn that changes its provider in the middle, and comes back: over HTTP, before servers as strict as the real ones. */
import assert from "node:assert/strict";
import { KEY, startAnthropicServer, type WireAnswer } from "../wire/anthropicServer";
import { startGoogleServer } from "../wire/googleServer";
import { startOpenaiServer } from "../wire/openaiServer";
import { endWorlds, newest, proven, records, world } from "./world";

const read = (id: string): WireAnswer => ({
  thinking: `Thought of ${id}.`,
  calls: [{ id, name: "Read", input: { file_path: `src/${id}.ts` } }],
});
const overloaded = (body: object): WireAnswer => ({ refuse: { status: 529, body: JSON.stringify(body) } });

describe("fallback over HTTP", () => {
  afterEach(endWorlds);

  it("Claude, then GPT, then Gemini, then Claude again: each gets what it takes, and thinking only where it is its own", async () => {
    let down = { claude: false, gpt: false };
    const claude = await startAnthropicServer({
      answer: (_, number) =>
        down.claude
          ? overloaded({ type: "error", error: { type: "overloaded_error", message: "" } })
          : number === 0
            ? read("c0")
            : { text: "Back." },
    });
    const gpt = await startOpenaiServer((_, number) =>
      down.gpt ? { refuse: { status: 402, body: "{}" } } : read(`o${number}`),
    );
    const gemini = await startGoogleServer((_, number) => (number < 2 ? read(`g${number}`) : { text: "Done." }));
    const hosts: Record<string, string> = {
      "api.anthropic.com": claude.url,
      "api.openai.com": gpt.url,
      "generativelanguage.googleapis.com": gemini.url,
    };
    const at = await world({
      key: KEY,
      settings: {
        "model.name": "claude-opus-5-5",
        "model.baseUrl": "https://api.openai.com/v1",
        "model.fallback": ["gpt-5", "gemini-3-pro"],
      },
      fetch: (input, init) => {
        const url = new URL(String(input));
        const to = new URL(hosts[url.hostname] ?? "");
        return fetch(`${to.origin}${url.pathname}${url.search}`, withKey(init, url.hostname));
      },
      files: { "src/c0.ts": "c\n", "src/o0.ts": "o\n", "src/g0.ts": "g\n" },
    });
    at.session.subscribe(event => {
      if (event.type !== "record" || event.record.kind !== "result") return;
      down = { claude: true, gpt: claude.served.length > 0 && gpt.served.length > 0 };
    });
    await at.session.submit("Go.");
    await at.session.idle();
    assert.deepEqual(newest(at, "turnEnd").reason, "done", newest(at, "turnEnd").error?.message);
    assert.deepEqual([claude.served.length, gpt.served.length, gemini.served.length], [1, 1, 3]);
    const said = records(at, "note").map(({ text }) => text);
    assert.equal(said.length, 2);
    assert.match(said[0] ?? "", /\(529\)[^\n]*"gpt-5"[^\n]*"claude-opus-5-5"/);
    assert.match(said[1] ?? "", /\(402\)[^\n]*"gemini-3-pro"/);
    // OpenAI's reasoning comes back to it encrypted; Claude's is nothing to it.
    assert.ok(!JSON.stringify(gpt.served[0].input).includes("Thought of c0."));

    down = { claude: false, gpt: false };
    await at.session.submit("More.");
    await at.session.idle();
    assert.equal(newest(at, "turnEnd").reason, "done");
    assert.ok(!JSON.stringify(claude.served[1]?.body.messages ?? "Thought of").includes("Thought of"));
    assert.deepEqual([...claude.refused, ...gemini.refused], []);
    const report = await proven(at);
    assert.ok((report.breaks["model-changed"] ?? 0) >= 3, JSON.stringify(report.breaks));
    await Promise.all([claude.close(), gpt.close(), gemini.close()]);
  });
});

/** Each has a key of its own. */
function withKey(init: RequestInit | undefined, host: string): RequestInit {
  const headers = new Headers(init?.headers);
  if (host.startsWith("generativelanguage")) headers.set("x-goog-api-key", "AIzaSyTest0123456789abcdefghijklmnopqrs");
  return { ...init, headers };
}
