/** What a screen reader says by itself: one polite region, questions and failures at once, no word of an answer before it is whole. */

import assert from "node:assert/strict";
import { pluck } from "../fakes/pluck";
import { openPanel, type PanelOptions, type PanelPage, panelTest } from "./panel";
import { asking } from "./scenes";
import { Script } from "./script";

interface SpokenWords {
  how: string;
  words: string;
}

declare global {
  interface Window {
    spoken: SpokenWords[];
  }
}

/** Writes down, as a screen reader would say it, what changes in regions that are live. */
async function listen({ page }: PanelPage): Promise<() => Promise<SpokenWords[]>> {
  await page.evaluate(() => {
    const all: SpokenWords[] = [];
    window.spoken = all;
    const LIVE = "[aria-live], [role=status], [role=alert], [role=log], [role=alertdialog]";
    const implicit: Record<string, string> = {
      status: "polite",
      log: "polite",
      alert: "assertive",
      alertdialog: "off",
    };
    const add = (node: Node) => {
      const region = (node instanceof Element ? node : node.parentElement)?.closest(LIVE);
      const how = region?.getAttribute("aria-live") ?? implicit[region?.getAttribute("role") ?? ""] ?? "off";
      const inside = node instanceof Element ? [...node.querySelectorAll("[role=alert], [role=status]")] : [];
      if (how !== "off") all.push({ how, words: node.textContent ?? "" });
      else for (const each of inside) all.push({ how: implicit[each.role ?? ""] ?? "", words: each.textContent ?? "" });
    };
    new MutationObserver(changes => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === "characterData" ? [target] : addedNodes) add(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => window.spoken.splice(0));
}

const inWords = (all: readonly SpokenWords[]) => all.map(({ how, words }) => `${how}: ${words}`);

describe("panel: what is said aloud", () => {
  panelTest("an answer that streams is said once, whole, without addresses; then how the turn ended", async () => {
    const panel = await openPanel();
    const heard = await listen(panel);
    const script = new Script().user("go").state("running").request("r");
    await panel.play(script.take());
    assert.deepEqual(inWords(await heard()), ["polite: Running, step 1"]);
    const text = "Both places round **half up**, see [the rule](https://example.com/a/very/long/address?with=words).";
    for (const event of script.text("r", text, 6).take()) await panel.play([event]);
    assert.deepEqual(inWords(await heard()), [], "not while it comes");
    await panel.play(script.answer("r", text).take());
    await panel.play(script.end("done").state("idle").take());
    assert.deepEqual(inWords(await heard()), ["polite: Both places round half up, see the rule.", "polite: Finished"]);
  });

  panelTest("output of a command and thoughts are not read out", async () => {
    const panel = await openPanel();
    const script = new Script().user("go").state("running").request("r");
    await panel.play(script.take());
    const heard = await listen(panel);
    for (const part of ["I ", "think"]) await panel.play(script.reasoning("r", part).take());
    await panel.play(script.answer("r", "", [["call_1", "Bash", { command: "make" }]]).take());
    await panel.play(script.start("call_1", "Bash", "make").take());
    for (const line of ["one\n", "two\n", "three\n"]) await panel.play(script.output("call_1", line).take());
    assert.deepEqual(inWords(await heard()), []);
  });

  panelTest("a question is said at once, and that an answer is waited for", async () => {
    const panel = await openPanel();
    const heard = await listen(panel);
    await panel.play([...asking().take(), { type: "state", state: "asking" }]);
    await panel.page.getByRole("alertdialog").waitFor();
    const said = await heard();
    assert.ok(
      said.every(({ how, words }) => how === "polite" || words.includes("npm test -- invoice") || words === ""),
      inWords(said).join("\n"),
    );
    assert.ok(!said.some(({ words }) => /wait/i.test(words)), "the card says it");
    assert.equal(await panel.page.getByRole("alertdialog").getAttribute("aria-live"), "assertive");
  });

  panelTest("a failure is said at once, and only once", async () => {
    const panel = await openPanel();
    const script = new Script().user("go").state("running").request("r");
    await panel.play(script.take());
    const heard = await listen(panel);
    const message = "The API key was rejected (401).";
    const error = { code: "auth" as const, message, actions: ["set-key" as const] };
    await panel.play(
      script
        .end("error", error as never)
        .state("idle")
        .take(),
    );
    const said = await heard();
    assert.deepEqual(
      pluck(
        said.filter(({ words }) => words.includes(message)),
        "how",
      ),
      ["assertive"],
      inWords(said).join("\n"),
    );
  });

  const { records } = new Script().user("go").answer("r", "Done.").end("done");
  const scenes: Record<string, [options: PanelOptions, then?: (panel: PanelPage) => Promise<unknown>]> = {
    "an empty panel": [{}],
    "a turn with find open": [
      { snapshot: { records } },
      async ({ page, composer }) => {
        await composer.fill("@");
        await page.keyboard.press("Control+f");
        await page.keyboard.type("Done");
      },
    ],
    "the list of sessions": [{}, ({ show }) => show("sessions")],
    "the view of the context": [{}, ({ show }) => show("context")],
    "what was found": [{ name: "tools" }],
  };
  for (const [name, [options, then]] of Object.entries(scenes))
    panelTest(`${name} has one polite region`, async () => {
      const panel = await openPanel(options);
      await then?.(panel);
      await panel.settle();
      const regions = panel.page.locator("[role=status], [aria-live=polite], [role=log]:not([aria-live=off])");
      assert.equal(await regions.count(), 1);
    });
});
