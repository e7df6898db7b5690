/** The list of models that the model's name in the composer opens: what each provider offers, for the session that is shown. */

import * as vscode from "vscode";
import type { Session } from "../../core/agent/session/session";
import type { ModelConnection, Models } from "../../core/ground/ports";
import { writeModelName } from "../../models/address";
import { type DescribedModel, type ModelDirectory, type ModelOffer, modelFacts } from "../../models/offers";
import { defined } from "../../shared/defined";
import { eitherOf } from "../../shared/format";
import { t } from "../../shared/l10n";
import { COMMON_COMPATIBLE, ownFacts } from "../../shared/modelProviders";
import { withoutName } from "../../shared/sessionModel";
import type { Settings } from "../../shared/settings";
import { effortWords, type Reasoning, readModelName, reasoningValues } from "../../shared/settingValues";
import { choose, inform, livePicker } from "../platform/messages";
import { save, type VSCodeSettings } from "../platform/settings";
import { askWindow, type ModelSetup, type ModelWay } from "./modelSetup";

interface ModelPickerDeps {
  settings: VSCodeSettings;
  directory: ModelDirectory;
  models: Models;
  session(): Promise<Session>;
  /** the steps that set a provider up, for new sessions */
  setup: ModelSetup;
}

/** What one provider answered: its models, or why there are none. */
type ModelGroup = { offer: ModelOffer; models: readonly DescribedModel[] | string };

type PickerAction = "set-up" | "effort" | "default";
interface PickerItem extends vscode.QuickPickItem {
  model?: DescribedModel;
  act?: PickerAction;
}

const iconButton = (icon: string, tooltip: string) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip });
const starButton = (isStarred: boolean) =>
  isStarred ? iconButton("star-full", t("Remove from favorites")) : iconButton("star-empty", t("Add to favorites"));
const forNewButton = () => iconButton("pinned", t("Use in new sessions, too"));

export class ModelPicker {
  constructor(private readonly deps: ModelPickerDeps) {}

  /** The session goes on with what is chosen. false: Esc leaves everything as it was */
  async pick(way?: ModelWay): Promise<boolean> {
    const session = await this.deps.session();
    const { setup } = this.deps;
    if (way === "key") return this.setUp(session, setup.pasteKey());
    if (way === "window") return this.setWindow(session);
    if (way === "local") return this.setUp(session, setup.pickLocal());
    const [first] = way === "editor" ? (await setup.ways()).editor : [];
    if (first) return this.take(session, { ...first, name: writeModelName("vscode", first.name) });
    const chosen = await this.show(session, await this.deps.directory.offers());
    if (chosen?.act === "set-up") return this.setUp(session, setup.addProvider());
    if (chosen?.act === "effort") return this.pickEffort(session);
    if (chosen?.act === "default") await session.setModel(withoutName(session.model));
    if (chosen?.model) await this.take(session, chosen.model);
    return chosen !== undefined;
  }

  /** @param done false: the person gave up */
  private async setUp(session: Session, done: Promise<boolean>): Promise<boolean> {
    if (await done) await session.setModel(withoutName(session.model));
    return done;
  }

  private async pickEffort(session: Session): Promise<boolean> {
    const set = this.deps.settings.get()["model.reasoning"];
    const now = session.model.reasoning ?? set;
    const items = reasoningValues.map((effort: Reasoning) => {
      const { name: label, meaning: detail } = effortWords(effort);
      return { effort, label, description: effort === now ? t("in use") : "", detail };
    });
    const placeHolder = t("How much should the model think before it answers? Applies from the next message.");
    // The list before it gives the focus back to where it was, perhaps only now.
    const chosen = await choose(items, { title: t("Effort of this session"), placeHolder, ignoreFocusOut: true });
    if (!chosen) return false;
    const { reasoning: _, ...model } = session.model;
    await session.setModel(chosen.effort === set ? model : { ...model, reasoning: chosen.effort });
    return true;
  }

  /** Fills as the providers answer: what is there can be chosen at once. */
  private async show(session: Session, offers: readonly ModelOffer[]): Promise<PickerItem | undefined> {
    const { directory, settings } = this.deps;
    const { picker, fill } = livePicker<PickerItem>();
    const left = new AbortController();
    let inUse: ModelConnection | undefined;
    // What was starred just now, the settings may know a moment later.
    let favorites: readonly string[] = settings.get()["model.favorites"];
    /** in the order in which they answered: rows that are shown keep their place */
    const groups: ModelGroup[] = [];
    let isPlaced = false;
    const refill = () => {
      const active = picker.activeItems[0]?.label;
      fill(pickerItems({ groups, session, favorites, settings: settings.get(), inUse }));
      const first = isPlaced || picker.value ? undefined : picker.items.find(({ model }) => model);
      const again = first ?? picker.items.find(({ label }) => label === active);
      if (again) picker.activeItems = [again];
      isPlaced ||= first !== undefined;
    };
    picker.title = t("Model of this session");
    picker.placeholder = t("Search by name, provider or capability");
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.ignoreFocusOut = true;
    picker.busy = true;
    const filled = Promise.all(
      offers.map(async offer => {
        const found = await offer.list(left.signal);
        const models =
          typeof found === "string" ? found : await Promise.all(found.map(each => directory.describe(each)));
        groups.push({ offer, models });
        refill();
      }),
    );
    picker.onDidTriggerItemButton(async ({ item: { model }, button }) => {
      if (!model) return;
      if (button.tooltip === forNewButton().tooltip) await this.makeDefault(model);
      else {
        favorites = favorites.includes(model.name)
          ? favorites.filter(name => name !== model.name)
          : [...favorites, model.name];
        refill();
        await save("model.favorites", [...favorites]);
      }
    });
    refill();
    const connected = this.deps.models.connect(session.model).then(
      connection => {
        inUse = connection;
        refill();
      },
      () => undefined,
    );
    void Promise.all([filled, connected]).then(() => {
      picker.busy = false;
    });
    const chosen = await new Promise<PickerItem | undefined>(done => {
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item?.model || item?.act) done(item);
      });
      picker.onDidHide(() => done(undefined));
      picker.show();
    });
    left.abort();
    picker.dispose();
    return chosen;
  }

  private async take(session: Session, model: DescribedModel): Promise<boolean> {
    const { reasoning } = session.model;
    await session.setModel({ name: model.name, ...defined({ reasoning, contextWindow: model.contextWindow }) });
    // Where nothing answers by the settings, new sessions would have none.
    await this.deps.models.connect().catch(() => this.makeDefault(model, model.contextWindow));
    return true;
  }

  /** Of the model that answers: where the session chose it in the session, else in the settings. */
  private async setWindow(session: Session): Promise<boolean> {
    const { name } = await this.deps.models.connect(session.model);
    const answer = await askWindow(name);
    if (!answer) return false;
    const { contextWindow: _, ...model } = session.model;
    if (model.name === undefined) await save("model.contextWindow", answer.tokens);
    else await session.setModel({ ...model, ...defined({ contextWindow: answer.tokens }) });
    return true;
  }

  private async makeDefault(model: DescribedModel, contextWindow?: number): Promise<void> {
    await save("model.name", model.name);
    await save("model.contextWindow", contextWindow);
    void inform(t("New sessions use {0}.", model.title));
  }
}

interface PickerState {
  groups: readonly ModelGroup[];
  session: Session;
  favorites: readonly string[];
  settings: Settings;
  /** the model that answers now */
  inUse: { name: string; address: string } | undefined;
}

const separator = (label: string): PickerItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** What can be done first: what comes later moves nothing that is being pointed at. Then favorites, then provider by provider. */
function pickerItems({ groups, session, favorites, settings, inUse }: PickerState): PickerItem[] {
  const toItem = (offer: ModelOffer, model: DescribedModel): PickerItem => {
    const isInUse = inUse?.name === readModelName(model.name)?.name && inUse?.address === (model.baseUrl ?? "VS Code");
    return {
      model,
      label: model.title,
      description: [offer.title, isInUse && t("in use")].filter(Boolean).join(" · "),
      detail: modelFacts(model) || t("no details known"),
      buttons: [forNewButton(), starButton(favorites.includes(model.name))],
    };
  };
  const known = groups.flatMap(({ offer, models }) =>
    Array.isArray(models) ? models.map((model: DescribedModel) => ({ offer, model })) : [],
  );
  const starred = known.filter(({ model }) => favorites.includes(model.name));
  return [
    ...ownItems(session, settings),
    ...(starred.length > 0
      ? [separator(t("Favorites")), ...starred.map(({ offer, model }) => toItem(offer, model))]
      : []),
    ...groups.flatMap(({ offer, models }) => groupItems(offer, models, favorites, toItem)),
  ];
}

function groupItems(
  offer: ModelOffer,
  models: ModelGroup["models"],
  favorites: readonly string[],
  toItem: (offer: ModelOffer, model: DescribedModel) => PickerItem,
): PickerItem[] {
  // That nothing runs on this machine, or that VS Code has no model, is nothing to say here.
  if (typeof models === "string")
    return offer.kind === "configured" ? [separator(offer.title), { label: `$(warning) ${models}` }] : [];
  const others = models.filter(({ name }) => !favorites.includes(name));
  return others.length > 0 ? [separator(offer.title), ...others.map(model => toItem(offer, model))] : [];
}

function ownItems({ model }: PickerState["session"], settings: PickerState["settings"]): PickerItem[] {
  const { name: description } = effortWords(model.reasoning ?? settings["model.reasoning"]);
  const thinks = t("How much the model thinks before it answers");
  const set = settings["model.name"] || t("chosen automatically");
  const asSet: PickerItem = { act: "default", label: `$(discard) ${t("As in the settings")}`, description: set };
  const others = eitherOf([...ownFacts.map(({ title }) => title), t("any {0} server", COMMON_COMPATIBLE)]);
  return [
    separator(t("This session")),
    { act: "effort", label: `$(lightbulb) ${t("Effort…")}`, description, detail: thinks, alwaysShow: true },
    ...(model.name === undefined ? [] : [asSet]),
    { act: "set-up", label: `$(add) ${t("Another provider, key or server…")}`, detail: others, alwaysShow: true },
  ];
}
