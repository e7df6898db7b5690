/** VS Code's own models, offered by an extension as Copilot's are: no key, no address, whole turns. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../fakes/eventually";
import type { ChatModels } from "../chatModelsExtension";
import { resultOf, type Strata, startStrata } from "../strata";

const USER = 1;
const ASSISTANT = 2;

describe("a model that VS Code has", () => {
  let strata: Strata;
  let chats: ChatModels;

  beforeEach(async () => {
    strata = await startStrata("auto");
    const extension = vscode.extensions.getExtension<ChatModels>("strata-agent.models");
    assert.ok(extension);
    chats = await extension.activate();
    chats.answers.length = 0;
    chats.requests.length = 0;
    chats.offer(["small", "large"]);
    await eventually(
      "VS Code lists the models",
      async () => (await vscode.lm.selectChatModels({ vendor: "strata-test" })).length === 2,
    );
    await strata.setting("model.provider", "vscode");
    await strata.setting("model.name", "strata-test/large");
  });
  afterEach(async () => {
    await strata.dispose();
    chats.offer([]);
  });

  it("does a turn with a tool; the server gets nothing", async () => {
    const input = { file_path: "src/invoice.js" };
    chats.answers.push({ text: "I look.", call: { id: "c1", name: "Read", input } }, { text: "It is an invoice." });
    const end = await strata.turn("What is src/invoice.js?");
    assert.equal(end.reason, "done");
    assert.equal(resultOf(strata.panel, "c1").status, "success");
    const [first, second] = chats.requests;
    assert.deepEqual(
      first?.messages.map(({ role }) => role),
      [USER],
    );
    assert.ok(first?.tools.includes("Edit"));
    assert.deepEqual(
      second?.messages.map(({ role }) => role),
      [USER, ASSISTANT, USER],
    );
    assert.match(second?.messages[2]?.text ?? "", /roundTotal/);
    assert.equal(strata.offline.requests.length, 0);
    const { model } = (await strata.panel.request("open", {})).surroundings;
    assert.deepEqual(model, {
      ...{
        state: "ready",
        name: "strata-test/large",
        address: "VS Code",
        contextWindow: 50_000,
        offline: false,
        seesPictures: false,
      },
    });
  });

  it("without a name the first one answers, and a server's name stays a server's", async () => {
    await strata.setting("model.provider", "auto");
    await strata.setting("model.name", "");
    // A server that is set comes before VS Code.
    const server = strata.offline.url;
    await strata.setting("model.baseUrl", "https://api.openai.com/v1");
    chats.answers.push({ text: "Here." });
    assert.equal((await strata.turn("Anybody?")).reason, "done");
    assert.equal(chats.requests.length, 1);
    await strata.setting("model.baseUrl", server);
    strata.play({ text: "Over HTTP." });
    assert.equal((await strata.turn("And now?")).reason, "done");
    assert.deepEqual([chats.requests.length, strata.offline.requests.length], [1, 1]);
  });

  it("is looked for when it is needed, not on and on", async () => {
    chats.listed = 0;
    await strata.panel.request("open", {});
    // A list that VS Code takes for a change asks for the next list: each goes to the window and back, as these do.
    for (let trip = 0; trip < 100; trip += 1)
      await vscode.commands.executeCommand("setContext", "strata.tests.trip", trip);
    assert.ok(chats.listed < 10, `listed ${chats.listed} times`);
  });

  it("Stop ends it in the middle, and what had come stays", async () => {
    chats.answers.push("wait");
    const turn = strata.turn("Go on.");
    await eventually("the model was asked", () => chats.requests.length === 1);
    await strata.panel.request("stop", {});
    assert.equal((await turn).reason, "stopped");
  });

  it("a limit that is reached and a model that is gone are said, each in a sentence", async () => {
    chats.answers.push({ refuse: "Blocked" });
    const blocked = await strata.turn("Hello?");
    assert.match(blocked.error?.message ?? "", /takes no more requests from this account/);
    await strata.setting("model.name", "strata-test/gone");
    const gone = await strata.turn("Hello?");
    assert.match(gone.error?.message ?? "", /VS Code does not offer the model "strata-test\/gone"/);
  });
});
