/** Questions that allow nothing: answered by keys alone, and by no key that was meant for something else. */
import assert from "node:assert/strict";
import type { QuestionForm } from "../../src/shared/question";
import { isSoak } from "../fakes/soak";
import { openPanel, type PanelPage, panelTest } from "./panel";
import { Script } from "./script";

const choice = (name: string, title: string, labels: string[], multiple = false): QuestionForm["fields"][number] => ({
  ...{ type: "choice", name, title, required: false, ownWords: true, multiple },
  options: labels.map((label, at) => ({
    ...{ value: label, label, description: `What ${label} means for the work that comes next` },
    ...(at === 0 && { recommended: true as const }),
  })),
});

const one = { fields: [choice("q1", "Where should invoices be stored?", ["SQLite", "Postgres", "Plain files"])] };
const two = { fields: [...one.fields, choice("q2", "Which parts come first?", ["Login", "Billing", "Export"], true)] };

function asking(form: QuestionForm) {
  const script = new Script()
    .user("plan the storage of invoices")
    .request("r")
    .answer("r", "Two things only you can decide.", [["call_q", "AskUser", { questions: [] }]]);
  return script.question("qst_1", "call_q", "AskUser", form);
}

const open = (form: QuestionForm) => openPanel({ snapshot: { records: asking(form).records, state: "asking" } });

/** A question does not take the key before it could be noticed. */
async function noticed({ page, pass }: PanelPage) {
  await page.locator(".question").waitFor();
  await pass(400);
}

describe("panel: the agent's questions", () => {
  panelTest("a number chooses, Enter answers, with nothing chosen what is missing is said; the look", async () => {
    const panel = await open(one);
    const { page, asked, button, waitForRequest, screenshot } = panel;
    await noticed(panel);
    await screenshot("question");
    await button("Answer").click();
    await page.getByText("Choose an option, or write your own answer.").waitFor();
    await page.keyboard.press("2");
    assert.equal((await asked("reply")).length, 0, "a number only chooses");
    await screenshot("question-chosen");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("reply"), {
      questionId: "qst_1",
      action: "accept",
      values: { q1: ["Postgres"] },
    });
  });

  panelTest(
    "arrows move, Space chooses several, Tab leads to words of one's own, Enter to the next question",
    async () => {
      const panel = await open(two);
      const { page, waitForRequest, screenshot } = panel;
      await noticed(panel);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Space");
      await page.keyboard.press("3");
      await page.keyboard.press("Tab");
      await page.keyboard.type("and 2 tests");
      await screenshot("question-several");
      await page.keyboard.press("Enter");
      assert.deepEqual(await waitForRequest("reply"), {
        questionId: "qst_1",
        action: "accept",
        values: { q1: ["Postgres"], q2: ["Login", "Export", "and 2 tests"] },
      });
    },
  );

  const openHalf = async () => {
    const panel = await open(two);
    await noticed(panel);
    await panel.page.keyboard.press("2");
    await panel.page.locator(".question-field").nth(1).getByLabel("Your own answer").fill("only the half");
    return panel;
  };
  const halfIsSent = async ({ page, waitForRequest }: Awaited<ReturnType<typeof open>>) => {
    await page.getByRole("button", { name: "Answer" }).click();
    const values = { q1: ["Postgres"], q2: ["only the half"] };
    assert.deepEqual(await waitForRequest("reply"), { questionId: "qst_1", action: "accept", values });
  };

  panelTest("what was written so far is there again after a look at something else", async () => {
    const panel = await openHalf();
    await panel.show("sessions");
    await panel.page.keyboard.press("Escape");
    await noticed(panel);
    await halfIsSent(panel);
  });

  panelTest("what was chosen and written so far is there again after a reload of the window", async () => {
    const panel = await openHalf();
    const { page, pass } = panel;
    await pass(5_000); // long enough for it to be kept
    await page.reload();
    await noticed(panel);
    await halfIsSent(panel);
    await page.waitForFunction(() => {
      const kept = window.fakeHost.requests.findLast(({ method }) => method === "keepDraft")?.params;
      return JSON.stringify(kept) === JSON.stringify({ draft: "", inFlight: [], sessionId: "session_1" });
    });
  });

  panelTest("a letter begins an answer in one's own words", async () => {
    const panel = await open(one);
    const { page, waitForRequest } = panel;
    await noticed(panel);
    await page.keyboard.type("neither of 3");
    await page.keyboard.press("Enter");
    const values = { q1: ["neither of 3"] };
    assert.deepEqual(await waitForRequest("reply"), { questionId: "qst_1", action: "accept", values });
  });

  panelTest("Esc answers nothing and stops nothing: it leads to the composer, whose words answer", async () => {
    const panel = await open(one);
    const { page, asked, settle, waitForRequest } = panel;
    await noticed(panel);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await settle();
    assert.deepEqual([...(await asked("reply")), ...(await asked("stop"))], []);
    await page.keyboard.type("whatever is simplest");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("reply"), {
      questionId: "qst_1",
      action: "accept",
      words: "whatever is simplest",
    });
  });

  panelTest("one that was answered or stopped is no question any more", async () => {
    const script = asking(one);
    const panel = await openPanel({ snapshot: { records: script.records, state: "asking" } });
    const { page, send } = panel;
    await noticed(panel);
    script.take();
    script.question("qst_1", "call_q", "AskUser", one, { action: "accept", values: { q1: ["SQLite"] }, by: "user" });
    await send({ type: "events", sessionId: "session_1", events: script.take() });
    await page.locator(".question").waitFor({ state: "detached" });
  });

  for (const width of isSoak("looks") ? [300, 700] : [300])
    panelTest(`question and answer stay in the conversation, at ${width} px`, async () => {
      const script = asking(two);
      const values = { q1: ["Postgres"], q2: ["Billing", "and 2 tests"] };
      script.question("qst_1", "call_q", "AskUser", two, { action: "accept", values, by: "user" });
      script.result("call_q", "AskUser", {
        digest: "AskUser Where should invoices be stored? · Which parts come first?",
      });
      script.request("r2").answer("r2", "", [["call_r", "AskUser", { questions: [] }]]);
      script.question("qst_2", "call_r", "AskUser", one, { action: "decline", by: "user" });
      script.result("call_r", "AskUser", { digest: "AskUser Where should invoices be stored?" });
      const { page, screenshot } = await openPanel({ snapshot: { records: script.records }, width });
      await page.getByText("Billing, and 2 tests").waitFor();
      assert.deepEqual(await page.locator(".answered").allInnerTexts(), [
        "Where should invoices be stored?\nPostgres\nWhich parts come first?\nBilling, and 2 tests",
        "Where should invoices be stored?\nYou let the agent decide",
      ]);
      await screenshot(`question-answered-${width}`);
    });

  panelTest("looks like no question about a permission, whatever it says", async () => {
    const hostile = choice("q1", "Run `rm -rf ~`?\u202e\u0007\u200b Allow", ["Allow", "Deny", "<b>Yes</b>"]);
    const panel = await open({ fields: [hostile] });
    const { page, screenshot } = panel;
    await noticed(panel);
    assert.equal(await page.getByRole("alertdialog").count(), 0);
    assert.equal(await page.locator(".approval").count(), 0);
    assert.equal(await page.getByText("The agent asks you").count(), 1);
    await page.getByText("<b>Yes</b>", { exact: false }).first().waitFor();
    await screenshot("question-hostile");
  });
});

const field = (name: string, more: object) =>
  ({ name, title: name, required: false, type: "text", ...more }) as QuestionForm["fields"][number];

const signUp: QuestionForm = {
  server: "crm",
  message: "Please say who you are, so that the invoice can be sent.",
  fields: [
    field("Name", { required: true, minLength: 2 }),
    field("Mail", { format: "email", description: "Where the invoice goes" }),
    field("Since", { format: "date" }),
    field("Seats", { type: "number", integer: true, minimum: 1, maximum: 100, default: 5 }),
    field("Plan", {
      ...{ type: "choice", multiple: false, ownWords: false, default: ["team"] },
      options: [
        { value: "solo", label: "For one", description: "solo" },
        { value: "team", label: "For a team", description: "team" },
      ],
    }),
    field("Newsletter", { type: "boolean", default: false }),
    field("API token", { description: "From your account" }),
  ],
};

const elicited = (form: QuestionForm) => {
  const script = new Script()
    .user("send the invoice")
    .request("r")
    .answer("r", "", [["call_s", "crm:send_invoice", { id: 7 }]]);
  return script.question("qst_2", "call_s", "crm:send_invoice", form);
};

const openForm = (form: QuestionForm) =>
  openPanel({ snapshot: { records: elicited(form).records, state: "asking" }, height: 1000 });

describe("panel: a server's form", () => {
  panelTest("is filled in by keys, checked field by field, and submitted", async () => {
    const panel = await openForm(signUp);
    const { page, asked, settle, waitForRequest, screenshot } = panel;
    await noticed(panel);
    await page.getByText("This looks like a secret").waitFor();
    await screenshot("form");
    await page.keyboard.type("A");
    await page.keyboard.press("Enter");
    await page.keyboard.type("ada");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Write at least 2 characters.", { exact: true }).waitFor();
    await page.getByText("Write an e-mail address: name@example.com", { exact: true }).waitFor();
    assert.equal((await asked("reply")).length, 0);
    await settle();
    await screenshot("form-problems");
    // The first that is wrong has the focus.
    await page.keyboard.press("End");
    await page.keyboard.type("da");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type("@example.com");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("reply"), {
      questionId: "qst_2",
      action: "accept",
      values: { Name: "Ada", Mail: "ada@example.com", Seats: 12, Plan: ["solo"], Newsletter: true },
    });
  });

  panelTest(
    "is submitted by the first Ctrl+Enter of somebody who wrote into it, however soon; a secret is kept nowhere",
    async () => {
      const { page, asked, pass, waitForRequest } = await openForm(signUp);
      await page.locator(".question").waitFor();
      // no time passes: a question that has just come takes no key that was meant for something else
      await page.evaluate(() => {
        const now = performance.now();
        performance.now = () => now;
      });
      await page.keyboard.press("Control+Enter");
      await page.keyboard.type("Ada");
      const token = page.getByRole("textbox", { name: "API token" });
      await token.fill("t0ken");
      // Long enough for what is typed to be kept.
      await pass(5_000);
      await page.keyboard.press("Control+Enter");
      const { values } = (await waitForRequest("reply")) as { values: Record<string, unknown> };
      assert.deepEqual([values.Name, values["API token"], (await asked("reply")).length], ["Ada", "t0ken", 1]);
      const kept = JSON.stringify(await asked("keepDraft"));
      assert.ok(kept.includes("Ada") && !kept.includes("t0ken"), kept);
    },
  );

  for (const [name, action] of [
    ["Decline", "decline"],
    ["Cancel", "cancel"],
  ] as const) {
    panelTest(`${name} says so and sends nothing of it`, async () => {
      const panel = await openForm(signUp);
      const { page, button, waitForRequest } = panel;
      await noticed(panel);
      await page.keyboard.type("Ada");
      await button(name).click();
      assert.deepEqual(await waitForRequest("reply"), { questionId: "qst_2", action });
    });
  }

  panelTest("an address is shown whole and opened by its button alone; what a person types is a message", async () => {
    const url = `https://pay.example.com/${"a".repeat(300)}?to=\u202eevil`;
    const panel = await openForm({
      ...{ server: "crm\u200b", message: "Please pay first.", fields: [], url },
    });
    const { page, button, asked, settle, waitForRequest, screenshot } = panel;
    await noticed(panel);
    await page.getByText("asks to open an address").waitFor();
    assert.match(
      (await page.locator(".question-url").textContent()) ?? "",
      /^https:\/\/pay\.example\.com\/a{300}\?to=.+evil$/,
    );
    await screenshot("form-address");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.type("what is this?");
    await page.keyboard.press("Enter");
    assert.deepEqual(await waitForRequest("submit"), { text: "what is this?", delivery: "steer" });
    await settle();
    assert.equal((await asked("reply")).length, 0);
    await button("Open in Browser").click();
    assert.deepEqual(await waitForRequest("reply"), { questionId: "qst_2", action: "accept" });
  });

  panelTest("what was done about it stands in the card, without what was written", async () => {
    const script = elicited(signUp);
    const values = { Name: "…", Mail: "…" };
    script.question("qst_2", "call_s", "crm:send_invoice", signUp, { action: "accept", values, by: "user" });
    script.result("call_s", "crm:send_invoice", { digest: "crm:send_invoice sent" });
    const { page } = await openPanel({ snapshot: { records: script.records } });
    await page
      .getByRole("button", { name: /crm:send_invoice/ })
      .first()
      .click();
    await page.getByText("You answered the server.").waitFor();
  });
});
