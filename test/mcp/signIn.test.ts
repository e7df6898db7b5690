/** Signing in to a server, with an authorization server on this machine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { ServerStopped } from "../../src/core/ground/ports";
import { SecretTextFile } from "../../src/mcp/servers";
import { mcpWorld, never } from "../fakes/mcp";
import { startSignInServer } from "../fakes/signInServer.mjs";

/** Goes where it is sent, as a browser does. */
const browser = { open: async (address: string) => void (await fetch(address)) };

describe("signing in to MCP servers", () => {
  let ended: Promise<unknown>;
  let there: Awaited<ReturnType<typeof startSignInServer>>;
  let world: ReturnType<typeof mcpWorld>;
  afterEach(async () => {
    await world.end();
    await there.close();
  });

  async function open(oauth?: object, authorize?: string, register?: "none" | "refused") {
    there = await startSignInServer(authorize, register);
    world = mcpWorld();
    const secrets = new SecretTextFile(join(world.folder, "secrets.json"));
    const learned: string[] = [];
    await world.end();
    world = mcpWorld({
      ...{ secrets, learn: secret => void learned.push(secret) },
      servers: { tickets: { url: there.url, ...(oauth && { oauth }) } },
    });
    const { servers } = world;
    await servers.refresh();
    const view = async () => (await servers.views())[0];
    return { servers, view, learned, secrets };
  }
  const askedFor = (path: string) => there.asked.filter(each => each.path === path);

  it("registers, signs in, knows it later, and signs out", async () => {
    const { servers, view, learned } = await open();
    await assert.rejects(servers.check("tickets", never()), /sign in/);
    assert.deepEqual([(await view())?.state, (await view())?.signedIn], ["signed-out", false]);
    await servers.signIn("tickets", browser, never());
    assert.deepEqual([(await view())?.state, (await view())?.signedIn], ["running", true]);
    assert.equal((await view())?.tools?.length, 1);
    assert.ok(learned.length > 0, "the token is kept from the model");
    await servers.check("tickets", never());
    assert.equal(askedFor("/authorize").length, 1, "nobody is sent to the browser again");
    await servers.signOut("tickets");
    assert.deepEqual([(await view())?.state, (await view())?.signedIn], ["idle", false]);
    await assert.rejects(servers.check("tickets", never()), /sign in/);
  });

  it("a client's id that was given out beforehand is used, with its secret and scopes; nothing is registered", async () => {
    const { servers, view, learned } = await open({ clientId: "ours", clientSecret: "s3cret", scopes: "read" });
    await servers.signIn("tickets", browser, never());
    assert.equal((await view())?.state, "running");
    assert.equal(askedFor("/register").length, 0);
    const [asked] = askedFor("/authorize");
    assert.deepEqual([asked?.query.client_id, asked?.query.scope], ["ours", "read"]);
    assert.match(askedFor("/token")[0]?.text ?? "", /client_secret=s3cret/);
    assert.ok(learned.includes("s3cret"));
  });

  for (const register of ["none", "refused"] as const)
    it(`where clients do not register themselves (${register}) it is said what to set`, async () => {
      const { servers, view } = await open(undefined, undefined, register);
      const said =
        /does not register clients by itself\. Register Strata there, and set `oauth\.clientId` in the server's entry/;
      await assert.rejects(servers.signIn("tickets", browser, never()), said);
      assert.match((await view())?.error ?? "", said);
    });

  it("a client's secret goes to no other authorization server than the one where it was used first", async () => {
    const { servers, secrets } = await open({ clientId: "ours", clientSecret: "s3cret" });
    const client = { client_id: "ours", issuer: "https://first.example" };
    await secrets.store(`strata.mcp.oauth:${there.url}`, JSON.stringify({ client }));
    await assert.rejects(servers.signIn("tickets", browser, never()), /sign out first/);
    assert.deepEqual([askedFor("/authorize"), askedFor("/token")], [[], []]);
    await servers.signOut("tickets");
    await servers.signIn("tickets", browser, never());
    assert.match(askedFor("/token")[0]?.text ?? "", /client_secret=s3cret/);
  });

  it("over a remote, the browser comes back to the address that it has of this machine", async () => {
    const { servers } = await open();
    let here = "";
    const outside = async (address: string) => {
      here = address;
      return "https://forwarded.example/callback";
    };
    /** the browser's side of the tunnel */
    const through = async (address: string) => {
      const { headers } = await fetch(address, { redirect: "manual" });
      const back = new URL(headers.get("location") ?? "");
      assert.equal(back.origin, "https://forwarded.example");
      await fetch(here + back.search);
    };
    await servers.signIn("tickets", { open: through, outside }, never());
    assert.equal((await servers.views())[0]?.state, "running");
  });

  it("a browser that does not open ends it; the port is free again", async () => {
    const { servers, view } = await open();
    const open_ = async () => {
      throw new Error("no browser here");
    };
    await assert.rejects(servers.signIn("tickets", { open: open_ }, never()), /no browser here/);
    assert.equal((await view())?.state, "failed");
    await servers.signIn("tickets", browser, never());
    assert.equal((await view())?.state, "running");
  });

  for (const address of ["vscode://evil.extension/run?x=1", "file:///etc/passwd", "https://bank.example@evil.example/"])
    it(`nobody is sent to ${address}`, async () => {
      const { servers, view } = await open(undefined, address);
      const sent: string[] = [];
      const open_ = async (to: string) => void sent.push(to);
      await assert.rejects(servers.signIn("tickets", { open: open_ }, never()), /no address of the web/);
      assert.deepEqual([sent, (await view())?.state], [[], "failed"]);
    });

  it("while it goes on the view has the state and the address; called off, it asks again and the port is free", async () => {
    const { servers, view } = await open();
    await assert.rejects(servers.check("tickets", never()), /sign in/);
    let opened = "";
    const shown = new Promise<void>(resolve => {
      const open_ = async (address: string) => {
        opened = address;
        resolve();
      };
      const signing = servers.signIn("tickets", { open: open_ }, never());
      signing.catch(() => undefined);
      ended = signing;
    });
    await shown;
    const during = await view();
    assert.deepEqual([during?.state, during?.signInAt], ["signing-in", opened]);
    await servers.stop("tickets");
    await assert.rejects(ended, ServerStopped);
    const after = await view();
    assert.deepEqual([after?.state, after?.signInAt], ["signed-out", undefined]);
    await assert.rejects(fetch(new URL(opened).searchParams.get("redirect_uri") ?? ""), /fetch failed/);
    await servers.signIn("tickets", browser, never());
    assert.deepEqual([(await view())?.state, (await view())?.signInAt], ["running", undefined]);
  });
});
