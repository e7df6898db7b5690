/** Somebody who types into a text box with its menu, without a page. */

import type { MentionCompletion, MentionItem } from "../../src/shared/findProtocol";
import { writeMention } from "../../src/shared/mentions/write";
import type { CallableName } from "../../src/shared/slashCommand";
import { CommandSource } from "../../webview-ui/src/mentions/commandSource";
import { mentionSource } from "../../webview-ui/src/mentions/mentionSource";
import { type Menu, MenuControl } from "../../webview-ui/src/mentions/menu";

export const file = (path: string): MentionItem => ({
  ...{ kind: "file", mention: writeMention(path), label: path, positions: [] },
});
export const folder = (path: string): MentionItem => ({ ...file(path), kind: "folder" });

/** A menu over a text box that is only its text; the answers are given by hand. */
export class Typist {
  text = "";
  caret = 0;
  menu: Menu | undefined;
  sent = 0;
  readonly questions: { query: string; answer(completion: MentionCompletion | undefined): Promise<void> }[] = [];
  readonly timers: (() => void)[] = [];
  private readonly mention = mentionSource({
    ask: query =>
      new Promise(resolve => {
        const answer = async (completion: MentionCompletion | undefined) => {
          resolve(completion);
          await new Promise(setImmediate);
        };
        this.questions.push({ query, answer });
      }),
    folders: () => ["app", "lib"],
    choosePictures: () => undefined,
  });
  private readonly commands = new CommandSource({
    callable: async () => this.callable,
    isIdle: () => this.isIdle,
  });
  readonly control = new MenuControl({
    read: (text, caret) => this.mention(text, caret) ?? this.commands.read(text),
    text: () => ({ text: this.text, caret: this.caret }),
    replace: ({ start, end, text, caret }) => {
      this.text = this.text.slice(0, start) + text + this.text.slice(end);
      this.caret = caret;
      this.control.textChanged(false);
    },
    show: menu => {
      this.menu = menu;
    },
    later: callback => {
      this.timers.push(callback);
      return () => {
        const at = this.timers.indexOf(callback);
        if (at >= 0) this.timers.splice(at, 1);
      };
    },
  });

  /** @param callable skills and prompts */
  constructor(
    private readonly callable: readonly CallableName[] = [],
    private readonly isIdle = true,
  ) {}

  /** The whole text becomes this, cursor at its end. */
  put(text: string): this {
    this.text = text;
    this.caret = text.length;
    this.control.textChanged(false);
    return this;
  }

  /** Time passes: what waits for it is done. */
  pause(): void {
    for (const call of this.timers.splice(0)) call();
  }

  get names(): string[] | undefined {
    return this.menu?.items.map(({ text }) => text);
  }

  type(text: string): this {
    for (const letter of text) {
      this.text = this.text.slice(0, this.caret) + letter + this.text.slice(this.caret);
      this.caret += letter.length;
      this.control.textChanged(true);
    }
    return this;
  }

  press(...keys: string[]): boolean[] {
    const send = () => {
      this.sent += 1;
    };
    return keys.map(key => this.control.key(key, send));
  }

  /** Answers the newest question. */
  async answer(...items: MentionItem[]): Promise<this> {
    await this.questions.at(-1)?.answer({ items, indexing: false });
    return this;
  }

  get choice(): string | undefined {
    return this.menu?.items[this.menu.selected ?? -1]?.text;
  }
}
