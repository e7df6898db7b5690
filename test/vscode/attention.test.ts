/** What calls a person back: of which session, where it is said, and when it is gone. */
import assert from "node:assert/strict";
import type { Notifications } from "../../src/shared/settingValues";
import { Attention, type AttentionDeps, type Status } from "../../src/vscode/panel/attention/attention";
import { eventually } from "../fakes/eventually";
import { ended, startHost } from "../fakes/panelHost";

function watched(when: Notifications = "whenHidden", options: { maxSteps?: number } = {}) {
  const host = startHost({ mode: "ask", files: { "src/a.ts": "one\n" }, ...options });
  let visible = true;
  let changed: (() => void) | undefined;
  const seen = { badge: undefined as string | undefined, status: undefined as Status | undefined };
  const notes: string[] = [];
  const view: AttentionDeps["view"] = {
    get visible() {
      return visible;
    },
    onDidChangeVisibility(listener) {
      changed = listener;
      const dispose = () => {
        changed = undefined;
      };
      return { dispose };
    },
    setBadge: badge => {
      seen.badge = badge && `${badge.value} ${badge.tooltip}`;
    },
  };
  const attention = new Attention({
    ...{ sessions: host.sessions, view, when: () => when },
    showStatus: status => {
      seen.status = status;
    },
    notify: message => notes.push(message),
  });
  const show = (is: boolean) => {
    visible = is;
    host.sight.side = is;
    changed?.();
  };
  const client = host.panel();
  const said = () => [seen.status?.kind, seen.badge];
  return { ...host, client, attention, seen, notes, show, said };
}

const command = { calls: [{ name: "Bash", input: { command: "rm -rf dist" } }] };

async function ask({ client, models }: ReturnType<typeof watched>, text = "run the tests") {
  models.play(command, { text: "Done." });
  const seen = client.records.length;
  await client.request("submit", { text, delivery: "steer" });
  return eventually("it asks", () => client.records.slice(seen).find(record => record.kind === "approval")?.approvalId);
}

describe("attention", () => {
  it("a question while the panel is hidden is a badge, a status and a notification, until it is answered", async () => {
    const all = watched();
    await all.client.request("open", {});
    all.show(false);
    const approvalId = await ask(all);
    assert.deepEqual(all.said(), ["waiting", "1 1 waiting"]);
    assert.deepEqual(all.notes, ["Strata asks: Run `rm -rf dist`? Deletes dist"]);
    assert.equal(all.seen.status?.title, "run the tests");
    await all.client.request("answer", { approvalId, decision: "allow", scope: "once" });
    await ended(all.client);
    assert.deepEqual(all.said(), ["finished", "1 1 finished"]);
    all.show(true);
    assert.deepEqual(all.said(), ["finished", undefined], "it was seen");
    assert.equal(all.notes.length, 1);
  });

  it("what is in sight is not notified, unless always; never is never", async () => {
    for (const [when, count] of [["whenHidden", 0] as const, ["always", 1] as const, ["never", 0] as const]) {
      const all = watched(when);
      await all.client.request("open", {});
      if (when === "never") all.show(false);
      await ask(all);
      assert.equal(all.notes.length, count, when);
      assert.equal(all.seen.status?.kind, "waiting");
      await all.sessions.close();
    }
  });

  it("a session that is not shown counts like a hidden one, and panels know that it waits", async () => {
    const all = watched();
    const { client, sessions, models } = all;
    await client.request("open", {});
    const first = client.snapshot?.sessionId ?? "";
    models.play({ text: "Long", hang: true });
    await client.request("submit", { text: "first", delivery: "steer" });
    await client.request("newSession", {});
    const asking = client.snapshot?.sessionId ?? "";
    const approvalId = await ask(all, "second");
    assert.deepEqual(client.waitingSessions, [asking]);
    await client.request("openSession", { id: first });
    assert.deepEqual(client.waitingSessions, [asking], "the snapshot says so too");
    assert.deepEqual([all.seen.status?.kind, all.seen.status?.sessionId], ["waiting", asking]);
    await client.request("openSession", { id: asking });
    await client.request("answer", { approvalId, decision: "deny", scope: "once" });
    await eventually("no session waits", () => client.waitingSessions.length === 0);
    await sessions.close();
  });

  it("a turn that fails says why; a stopped one says nothing", async () => {
    const all = watched();
    const { client, models } = all;
    await client.request("open", {});
    all.show(false);
    const failure = { code: "auth", message: "The model refused the key (401).", retryable: false } as const;
    models.play({ fail: failure });
    await client.request("submit", { text: "go", delivery: "steer" });
    await ended(client);
    assert.equal(all.seen.status?.kind, "failed");
    assert.match(all.notes[0] ?? "", /^Strata: The model refused the key/);
    models.play({ text: "x", hang: true });
    const seen = client.records.length;
    await client.request("submit", { text: "again", delivery: "steer" });
    await client.request("stop", {});
    await eventually("the turn has ended", () => client.records.slice(seen).find(({ kind }) => kind === "turnEnd"));
    await eventually("the status is gone", () => all.seen.status === undefined);
    assert.deepEqual(all.said(), [undefined, undefined]);
  });

  it("a turn that paused at a limit did not fail", async () => {
    const all = watched("whenHidden", { maxSteps: 1 });
    const { client, models } = all;
    await client.request("open", {});
    all.show(false);
    models.play({ calls: [{ id: "c1", name: "LS", input: {} }] }, { text: "never asked for" });
    await client.request("submit", { text: "go", delivery: "steer" });
    await ended(client);
    assert.equal(all.seen.status?.kind, "paused");
    assert.match(all.said()[1] ?? "", /1 paused/);
  });

  it("a question's words are one line", async () => {
    const all = watched("always");
    await all.client.request("open", {});
    all.models.play({
      calls: [{ name: "Bash", input: { command: `echo\n${"long ".repeat(100)}` } }],
    });
    await all.client.request("submit", { text: "go", delivery: "steer" });
    const note = await eventually("there is a notification", () => all.notes[0]);
    assert.ok(note.length <= 200 && !/[\r\n]/.test(note), note);
    await all.sessions.close();
  });
});
