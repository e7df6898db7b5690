/** The built `strata serve --telegram` over the Bot API's wire: paired, asked, killed, refused, revoked. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { nodeClock } from "../../src/node/system";
import { recordSchema } from "../../src/shared/records";
import { eventually } from "../fakes/eventually";
import { Random } from "../fakes/random";
import { cases } from "../fakes/soak";
import { TelegramServer, TOKEN } from "../wire/telegramServer";
import { type Ended, inPlace, type Place, program, type Started, withModel } from "./program";

const [ANN, STRANGER] = [11, 99];

/** Edits a.txt as the last message says ("one to two"), then says that it did. */
const edits = (request: OfflineRequest) => {
  const at = request.messages.findLastIndex(({ role }) => role === "user");
  const [, from = "", to = ""] = /(\w+) to (\w+)/.exec(request.messages[at]?.text ?? "") ?? [];
  const done = request.messages.slice(at).filter(({ role }) => role === "tool").length;
  if (from === "") return { text: `Heard ${request.messages[at]?.text}` };
  if (done === 0) return { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
  if (done === 1) return { calls: [{ name: "Edit", input: { file_path: "a.txt", old_string: from, new_string: to } }] };
  return { text: `Changed ${from} to ${to}.` };
};

describe("strata serve --telegram", function () {
  this.timeout(400_000);
  const { place, strata } = program();
  let telegram: TelegramServer;
  let api = "";
  beforeEach(async () => {
    telegram = new TelegramServer();
    api = await telegram.start();
  });
  afterEach(() => telegram.close());

  /** One process after the other in a place, as a supervisor starts them. */
  class Served {
    started: Started | undefined;
    ended: Promise<Ended> | undefined;
    constructor(
      readonly at: Place,
      private readonly url: string,
    ) {}

    begin(): void {
      const env = { STRATA_TELEGRAM_TOKEN: `${TOKEN}\r` };
      const model = ["--base-url", this.url, "--model", "offline-model", "--trust", "--mode", "ask"];
      const args = ["serve", "--telegram", "--telegram-api", api, ...inPlace(this.at), ...model];
      this.ended = strata({ ...this.at, env }, args, started => {
        this.started = started;
      });
    }

    seen = (): string => this.started?.seen() ?? "";

    async pair(person = ANN): Promise<void> {
      const code = () => /\/start (\d{8})/.exec(this.seen())?.[1];
      telegram.say(person, `/start ${await eventually("a code is shown", code, { saw: this.seen })}`);
      await telegram.heard(person, /Paired/);
    }

    async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> {
      this.started?.kill(signal);
      assert.ok(this.ended);
      return this.ended;
    }
  }

  const text = ({ workspace }: Place) => readFileSync(join(workspace, "a.txt"), "utf8");
  const allow = async (question: RegExp) => {
    const asked = await telegram.heard(ANN, question);
    telegram.press(ANN, asked, asked.buttons[0]?.callback_data ?? "");
    return asked;
  };

  it("a task, an approval by button, the same after a kill; strangers are refused and counted", () =>
    withModel(edits, async url => {
      const served = new Served(place(), url);
      served.begin();
      await served.pair();
      telegram.say(STRANGER, "rm -rf /");
      telegram.say(STRANGER, "rm -rf /");
      telegram.say(ANN, "one to two");
      await allow(/\+two/);
      await telegram.heard(ANN, /Changed one to two/);
      assert.equal(text(served.at), "two\n");
      telegram.say(ANN, "two to three");
      const asked = await telegram.heard(ANN, /\+three/);
      await served.kill();
      served.begin();
      telegram.press(ANN, asked, asked.buttons[0]?.callback_data ?? "");
      await telegram.heard(ANN, /Changed two to three/);
      assert.equal(text(served.at), "three\n");
      telegram.press(ANN, asked, asked.buttons[0]?.callback_data ?? "");
      await eventually("the second press is told that it is none", () => telegram.told.at(-1)?.includes("not open"));
      telegram.say(ANN, "/status");
      const status = await telegram.heard(ANN, /idle/);
      assert.match(status.text, /Refused.*: 3/);
      const strange = telegram.sent.filter(({ chat }) => chat === String(STRANGER));
      assert.deepEqual(
        strange.map(each => /only people who were paired/.test(each.text)),
        [true],
      );
      assert.deepEqual(telegram.broken, []);
      const { code, err } = await served.kill("SIGTERM");
      assert.equal(code, 130, err);
      assert.ok(!err.includes(TOKEN.slice(7)));
    }));

  const kills = cases(60, "kills");
  it(`killed at ${kills} random moments: each message is one turn, each word comes, and what comes twice says so`, () =>
    withModel(edits, async url => {
      const served = new Served(place(), url);
      const random = new Random(43);
      served.begin();
      await served.pair();
      for (let kill = 0; kill < kills; kill++) {
        telegram.say(ANN, `m${kill}.`);
        await nodeClock.sleep(random.int(0, 1_500));
        await served.kill();
        served.begin();
      }
      telegram.say(ANN, "last.");
      await telegram.heard(ANN, /Heard last\./, 1, 150_000);
      const [id = ""] = readdirSync(join(served.at.storage, "sessions"));
      const log = readFileSync(join(served.at.storage, "sessions", id, "history.jsonl"), "utf8")
        .trim()
        .split("\n");
      const records = log.slice(1).map(line => recordSchema.parse(JSON.parse(line)));
      const said = records.flatMap(record =>
        record.kind === "message" && record.message.role === "user"
          ? record.message.parts.flatMap(part => (part.type === "text" ? [part.text] : []))
          : [],
      );
      assert.deepEqual(said, [...Array.from({ length: kills }, (_, at) => `m${at}.`), "last."]);
      assert.equal(telegram.unconfirmed, 0);
      const ends = records.flatMap(record => (record.kind === "turnEnd" ? [record.reason] : []));
      assert.equal(ends.length, kills + 1);
      const came = telegram.sent.map(each => each.text).filter(each => /Heard|Cut off/.test(each));
      const clean = came.filter(each => !each.includes("(repeated"));
      const cutOff = ends.filter(reason => reason === "interrupted").length;
      const tellsCut = (all: string[]) => all.filter(each => each.includes("Cut off")).length;
      assert.ok(tellsCut(clean) <= cutOff && cutOff <= tellsCut(came), `${cutOff} ${came.join("\n")}`);
      for (const [at, reason] of ends.entries()) {
        const word = `Heard ${said[at]}`;
        const of = (all: string[]) => all.filter(each => each.startsWith(word) && !each.includes("Cut off")).length;
        if (reason === "done") assert.ok(of(clean) <= 1 && of(came) >= 1, `${word}: ${came.join("\n")}`);
      }
    }));

  it("a revoked token ends it with exit code 1, no token is a usage error", () =>
    withModel(edits, async url => {
      const served = new Served(place(), url);
      served.begin();
      await served.pair();
      telegram.isRevoked = true;
      telegram.say(ANN, "wake");
      const revoked = await served.ended;
      assert.equal(revoked?.code, 1);
      assert.match(revoked?.err ?? "", /Telegram says: Unauthorized/);
      const none = await strata({ ...served.at, env: {} }, ["serve", "--telegram", ...inPlace(served.at)]);
      assert.equal(none.code, 2);
      assert.match(none.err, /STRATA_TELEGRAM_TOKEN/);
    }));
});
