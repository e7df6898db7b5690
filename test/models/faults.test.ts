/**
 * One table of faults, run against every provider in its own words: each ends in a clear sentence, is tried again only where
 * that can help, loses nothing, and the session goes on afterwards.
 */

import assert from "node:assert/strict";
import type { ModelFailureCode } from "../../src/core/ground/ports";
import type { RecordOf } from "../../src/shared/records";
import { isSoak } from "../fakes/soak";
import { endWorlds, newest, proven, type World, world } from "../overHttp/world";
import type { WireAnswer } from "../wire/anthropicServer";
import { told } from "./connect";
import { type Kind, kinds } from "./kinds";

/** code: what the turn ends with */
interface Fault {
  what: string;
  status: number;
  label: string;
  message: string;
  headers?: Record<string, string>;
  code: ModelFailureCode;
  /** how often the request goes out */
  sent: number;
  says: RegExp;
  only?: readonly Kind["name"][];
}

const key = /API key was rejected|needs an API key/;
const faults: readonly Fault[] = [
  { ...refusal(401, "authentication_error", "The API key has expired."), code: "auth", sent: 1, says: key },
  {
    ...refusal(404, "not_found_error", "The model `x` does not exist."),
    ...{ code: "unknown-model", sent: 1, says: /is not available at/ },
  },
  // Less is sent, and less again; then the conversation starts afresh.
  {
    ...refusal(413, "request_too_large", "Request exceeds the maximum size."),
    ...{ code: "context-too-long", sent: 0, says: /^Too long for \S+ I set the conversation aside/ },
  },
  {
    ...refusal(429, "rate_limit_error", "Too many requests."),
    ...{ headers: { "retry-after": "2" }, code: "rate-limit", sent: 5, says: /^Rate limit reached at .* \(429\)\./ },
  },
  {
    ...refusal(429, "rate_limit_error", "Too many requests for today."),
    ...{ headers: { "retry-after": "10800" }, code: "rate-limit", sent: 1, says: /It asks to wait 3 hours/ },
  },
  { ...refusal(500, "api_error", "Internal error."), code: "server", sent: 5, says: /failed \(500\).*Internal error/ },
  {
    ...refusal(400, "invalid_request_error", "temperature: this parameter cannot be set for this model."),
    ...{ code: "bad-request", sent: 1, says: /refused the request \(400\)\. “temperature: this parameter/ },
  },
];

function refusal(status: number, label: string, message: string) {
  return { what: `${status} ${message}`, status, label, message };
}

const html: WireAnswer = {
  play(response) {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><p>Please sign in.</p>");
  },
};
const cutInCall: WireAnswer = {
  text: "Reading.",
  calls: [{ id: "c1", name: "Read", input: { file_path: "src/a.ts" } }],
  breakOff: "cut",
};
/** Twice as many as an answer may have; in the soak so many that their stream is long, too. */
const CALLS = isSoak("large") ? 10_000 : 1_000;
const manyCalls: WireAnswer = {
  calls: Array.from({ length: CALLS }, (_, n) => ({ id: `c${n}`, name: "Read", input: { file_path: `src/${n}.ts` } })),
};
const answers: readonly [string, WireAnswer, ModelFailureCode, sent: number, RegExp][] = [
  ["a web page with status 200", html, "bad-answer", 1, /sent a web page instead of an answer/],
  ["a cut in the middle of a tool call", cutInCall, "cut", 2, /lost in the middle of the answer/],
  ["nothing at all", {}, "bad-answer", 2, /sent an empty answer/],
  [`${CALLS} tool calls`, manyCalls, "bad-answer", 2, /called tools hundreds of times in one answer/],
];

/** A session before a provider's server that has one fault at a time, or none. */
class Faulty {
  sent = 0;
  fault: WireAnswer | undefined;

  private constructor(
    readonly kind: Kind,
    readonly at: World,
    readonly close: () => Promise<void>,
  ) {}

  static async start(kind: Kind): Promise<Faulty> {
    let faulty: Faulty | undefined;
    const server = await kind.start(() => {
      if (!faulty?.fault) return { text: "All is well." };
      faulty.sent += 1;
      return faulty.fault;
    });
    const settings = { ...kind.settings, "model.baseUrl": server.url };
    const at = await world({ key: kind.key, settings, files: { "src/a.ts": "a\n" } });
    faulty = new Faulty(kind, at, server.close);
    return faulty;
  }

  /** A turn with the fault, and one without it after that. */
  async suffer(fault: WireAnswer): Promise<{ end: RecordOf<"turnEnd">; sent: number }> {
    const { session } = this.at;
    this.sent = 0;
    this.fault = fault;
    await session.submit("Words that must not be lost.");
    await session.idle();
    const end = newest(this.at, "turnEnd");
    this.fault = undefined;
    await session.submit("Are you well?");
    await session.idle();
    assert.equal(newest(this.at, "turnEnd").reason, "done", JSON.stringify(newest(this.at, "turnEnd").error));
    const { parts } = newest(this.at, "message").message;
    assert.ok(parts.some(part => part.type === "text" && part.text === "All is well."));
    return { end, sent: this.sent };
  }
}

for (const kind of kinds) {
  describe(`faults: ${kind.name}`, () => {
    let faulty: Faulty;
    before(async () => {
      faulty = await Faulty.start(kind);
    });
    after(async () => {
      await proven(faulty.at);
      await endWorlds();
      await faulty.close();
    });

    function check({ error }: RecordOf<"turnEnd">, says: RegExp): void {
      assert.match(told(error), says);
      assert.match(error?.message ?? "", /^\S.*\.$/);
      assert.ok(!told(error).includes(kind.key));
    }

    for (const { what, status, label, message, headers, code, sent, says } of faults) {
      it(what, async () => {
        const body = kind.error(status, label, message);
        const came = await faulty.suffer({ refuse: { status, body, ...(headers ? { headers } : {}) } });
        assert.equal(came.end.error?.code, code === "context-too-long" ? "context-reset" : code);
        check(came.end, says);
        if (sent > 0) assert.equal(came.sent, sent);
      });
    }

    for (const [what, answer, code, sent, says] of answers) {
      it(what, async () => {
        const came = await faulty.suffer(answer);
        assert.deepEqual([came.end.error?.code, came.sent], [code, sent], came.end.error?.message);
        check(came.end, says);
      });
    }
  });
}
