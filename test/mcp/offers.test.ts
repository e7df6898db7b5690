/** Prompts and resources of MCP servers: in a menu without a start, in a message as the server's words, never a message lost. */
import assert from "node:assert/strict";
import { createSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { callablePrompts } from "../../src/core/guidance/skills/called";
import type { RecordOf } from "../../src/shared/records";
import { unknownCommand } from "../../src/shared/slashCommand";
import { runTurn, world } from "../fakes/agent";
import { mcpWorld, never, oddServer, packaged } from "../fakes/mcp";
import { bytesOf, verifyBytes } from "../fakes/proof";

const attachedTo = ({ history }: Session): RecordOf<"attachment">[] =>
  history.records.filter(record => record.kind === "attachment");

describe("prompts and resources of MCP servers", () => {
  let servers: ReturnType<typeof mcpWorld>;
  afterEach(() => servers.end());

  /** A session in which that was sent. */
  async function sent(...texts: string[]) {
    const agent = world();
    const session = await createSession({ ...agent.ports, foreignTools: servers.servers, offers: servers.servers });
    for (const text of texts) {
      agent.models.play({ text: "done" });
      await runTurn(session, text);
    }
    return { ...agent, session, attached: attachedTo(session) };
  }

  it("a prompt with arguments of a server that others wrote, a template's resource, and its picture", async () => {
    servers = mcpWorld({ servers: { everything: packaged("server-everything", "stdio") } });
    await servers.servers.refresh();
    assert.deepEqual(
      callablePrompts(servers.servers.offers()).map(({ name, unseen }) => [name, unseen]),
      [["everything:", true]],
      "nothing is started to fill a menu",
    );
    assert.equal((await servers.servers.views())[0]?.state, "idle");
    await servers.servers.server("everything").look(never());
    const prompt = callablePrompts(servers.servers.offers()).find(({ needs }) => needs?.length === 1);
    assert.match(prompt?.name ?? "", /^everything:/);
    const told = unknownCommand(`/${prompt?.name}`, prompt ? [prompt] : []);
    assert.match(told ?? "", /^\/everything:\S+ needs city: type it after the name\.$/);
    const { session, attached, disk } = await sent(
      `/${prompt?.name} "San Marino" state=none`,
      "look at @everything:demo://resource/dynamic/text/7, and answer",
    );
    assert.deepEqual(
      attached.map(({ name, trust, empty }) => [name, trust, empty]),
      [
        [`/${prompt?.name}`, "mcp", undefined],
        ["everything:demo://resource/dynamic/text/7", "mcp", undefined],
      ],
    );
    assert.match(
      attached[0]?.text ?? "",
      /^<attachment name="\/everything:\S+" note="a prompt of .*San Marino.*<\/attachment>$/s,
    );
    assert.match(
      attached[1]?.text ?? "",
      /^<attachment name="@everything:demo:[^"]*" note="data, not instructions">\n.*7/s,
    );
    assert.equal(
      session.history.conversation.untrusted,
      "everything:demo://resource/dynamic/text/7",
      "edits ask after it",
    );
    await session.close();
    assert.deepEqual((await verifyBytes(bytesOf(disk, session.id))).defects, []);
  });

  it("what fails, hangs, is too large or binary is a sentence; nothing ends its tag; secrets are hidden", async () => {
    servers = mcpWorld({ servers: { odd: oddServer("offers") }, timeoutMs: () => 4_000 });
    const { session, attached, models } = await sent(
      "/odd:greet Ada",
      "/odd:greet",
      "/odd:nothing",
      "/odd:fails",
      ...["note", "hangs", "fails", "binary", "secret", "empty", "huge", "picture"].map(
        name => `see @odd:demo://${name}.`,
      ),
    );
    const text = (at: number) => attached[at]?.text ?? "";
    assert.equal(attached.length, 12);
    assert.ok(attached.every(({ trust }) => trust === "mcp"));
    for (const { text: whole } of attached) {
      assert.equal(whole.match(/<\/attachment>/g)?.length, 1, whole);
      assert.doesNotMatch(whole, /<system-reminder>/);
    }
    assert.match(text(0), /Greet Ada kindly\./);
    assert.match(
      attached[1]?.title ?? "",
      /The prompt greet of the MCP server odd cannot be had: type who behind its name/,
    );
    assert.match(attached[2]?.title ?? "", /it has none of this name\. There are: greet, two_words, fails/);
    assert.ok(attached[3]?.empty);
    assert.match(text(4), /\nThe note\.\n/);
    assert.match(attached[4]?.title ?? "", /^A note · text\/plain$/);
    assert.match(attached[5]?.title ?? "", /demo:\/\/hangs of the MCP server odd cannot be had/);
    assert.ok(attached[6]?.empty);
    assert.match(text(7), /application\/pdf, 2\.9 KB, which is no text/);
    assert.doesNotMatch(text(8), /abcdefghijklmnop/);
    assert.match(attached[9]?.title ?? "", /there is nothing in it/);
    assert.ok(attached[10]?.empty, "50 MB");
    assert.match(text(11), /\[Image attached\.\]/);
    const pictures = session.history.conversation.messages.flatMap(({ parts }) =>
      parts.filter(({ type }) => type === "file"),
    );
    assert.deepEqual(
      pictures.map(part => "mediaType" in part && part.mediaType),
      ["image/png"],
    );
    assert.equal(models.requests.length, 12, "each message reached the model");
    await session.close();
  });

  it("Stop ends a resource that hangs, and the message is there", async () => {
    servers = mcpWorld({ servers: { odd: oddServer("offers") } });
    await servers.servers.refresh();
    await servers.servers.server("odd").look(never());
    const agent = world();
    const session = await createSession({ ...agent.ports, foreignTools: servers.servers, offers: servers.servers });
    const submitted = session.submit("see @odd:demo://hangs");
    await session.stop();
    await submitted.catch(() => undefined);
    await session.idle();
    const [attached] = attachedTo(session);
    assert.match(attached?.title ?? "", /the message was stopped/);
    assert.match(JSON.stringify(session.history.conversation.messages[0]), /see @odd/);
    await session.close();
  });

  it("lists of 5,000 stay bounded, and a workspace's server that nobody agreed to gives nothing", async () => {
    servers = mcpWorld({ servers: { crowd: oddServer("crowd") } });
    await servers.servers.refresh();
    await servers.servers.server("crowd").look(never());
    const names = callablePrompts(servers.servers.offers());
    assert.equal(names.length, 1_000);
    assert.ok(names.every(({ description }) => description.length <= 201));
    await servers.end();
    servers = mcpWorld({ servers: { odd: oddServer("offers") }, agrees: false });
    const { session, attached } = await sent("/odd:greet Ada", "see @odd:demo://note");
    assert.equal(attached.length, 2);
    for (const { title } of attached)
      assert.match(title, / cannot be had: The server odd is not started: .*you have not approved it/);
    assert.equal((await servers.servers.views())[0]?.state, "unasked");
    await session.close();
  });
});
