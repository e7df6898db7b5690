/** What has the focus on the panel's page, and a person who has a keyboard alone. */
import assert from "node:assert/strict";
import type { PanelPage } from "./panel";

export interface Stop {
  name: string;
  problems: string[];
}

/** What has the focus: its role and name, and what is wrong with it. */
export function lookAtFocus(): Stop | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const labels =
    "labels" in element ? [...(element.labels as NodeListOf<HTMLElement>)].map(label => label.innerText) : [];
  const labelledBy = (element.getAttribute("aria-labelledby") ?? "")
    .split(" ")
    .map(id => document.getElementById(id)?.textContent ?? "")
    .join(" ");
  const names = [element.getAttribute("aria-label"), labelledBy.trim(), ...labels, element.innerText, element.title];
  const name =
    names
      .find(each => each?.trim())
      ?.trim()
      .split("\n")[0] ?? "";
  const problems: string[] = [];
  if (name === "") problems.push("has no name");
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  if (width < 8 || height < 8) problems.push(`is ${Math.round(width)} × ${Math.round(height)} px`);
  if (left < 0 || right > window.innerWidth + 1 || bottom < 0 || top > window.innerHeight)
    problems.push("lies out of sight");
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--vscode-focusBorder)";
  const accent = getComputedStyle(probe).color;
  probe.remove();
  let shows = false;
  for (let each: HTMLElement | null = element; each !== null; each = each.parentElement) {
    const style = getComputedStyle(each);
    if (Number(style.opacity) < 0.3 || style.visibility === "hidden") problems.push("cannot be seen");
    // the frame around it may take the part of an outline
    const frame = Number.parseFloat(style.borderBottomWidth) > 0 && style.borderBottomColor === accent;
    if (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0 && each.contains(element))
      shows = true;
    if (frame) shows = true;
  }
  if (!shows) problems.push("does not show the focus");
  const at = element.getAttribute("role") ?? element.tagName.toLowerCase();
  return { name: `${at} ${name}`, problems };
}

/** After each key something that can be seen has the focus: never the page itself, never a control that does not show it. */
export class KeyboardPerson {
  constructor(private readonly panel: PanelPage) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.panel.page.keyboard.press(key);
      await this.looks(`after ${key}`);
    }
  }

  async type(text: string): Promise<void> {
    await this.panel.page.keyboard.type(text);
    await this.looks(`after typing ${text}`);
  }

  /** Tab until what has this name has the focus, or this role and name. @param key or with another key */
  async to(name: string | RegExp, key = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < 60; presses += 1) {
      const stop = await this.looks(`on the way to ${name}`);
      const own = stop.name.slice(stop.name.indexOf(" ") + 1);
      if (typeof name === "string" ? own === name : name.test(stop.name)) return;
      passed.push(stop.name);
      await this.panel.page.keyboard.press(key);
    }
    assert.fail(`${key} does not lead to ${name}, but to ${passed.join(", ")}`);
  }

  /** What has the focus now: its role and name. */
  async looks(when: string): Promise<Stop> {
    await this.panel.settle();
    const stop = await this.panel.page.evaluate(lookAtFocus);
    assert.ok(stop, `nothing has the focus ${when}`);
    assert.deepEqual(stop.problems, [], `${stop.name} ${when}`);
    return stop;
  }
}
