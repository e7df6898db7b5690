/** Whether and how somebody is signed in to one server, while they sign in and after it. */

import type { SignInBrowser } from "../core/ground/ports";
import { defined } from "../shared/defined";
import { t } from "../shared/l10n";
import type { SecretTexts } from "./config/secretTexts";
import type { AddressLaunch, ServerConfig } from "./config/serverConfig";
import { fillIn, McpError, plainVariables, type ReadyLaunch, type VariableSources } from "./config/variables";
import type { ConnectDeps } from "./connection/connect";
import type { BrowserSignIn } from "./connection/signIn";

export interface SignedInDeps {
  sources: VariableSources;
  /** where what signing in gave is kept; absent: nobody can sign in */
  secrets?: SecretTexts;
  /** A secret that is to be kept from the model. */
  learn?(secret: string): void;
  /** How far somebody is with signing in changed. */
  onChange(): void;
}

export class SignedIn {
  private browser: BrowserSignIn | undefined;
  /** where the browser was sent to */
  private sentTo: string | undefined;

  constructor(
    private readonly config: ServerConfig,
    private readonly deps: SignedInDeps,
  ) {}

  /** Asks for nothing. undefined: nobody can sign in, or its address has what is not filled in yet */
  async isThere(): Promise<boolean | undefined> {
    const { launch, origin } = this.config;
    const { secrets } = this.deps;
    const url = launch.type === "stdio" ? undefined : plainVariables(launch.url, origin.folder);
    if (url === undefined || url.includes("${") || !secrets) return undefined;
    const { isSignedIn } = await import("./connection/signIn");
    return isSignedIn(url, secrets);
  }

  /** While somebody signs in: where the browser was sent, as far as that is known; undefined: nobody does */
  get underWay(): { at?: string } | undefined {
    return this.browser && defined({ at: this.sentTo });
  }

  /** Connects while a person may sign in. Rejects with McpError, or as `connect` does. */
  async during(browser: SignInBrowser, connect: () => Promise<unknown>): Promise<void> {
    const { secrets } = this.deps;
    const launch = await fillIn(this.config, this.deps.sources);
    if (!secrets || launch.type === "stdio")
      throw new McpError(t("Nobody signs in to {0}: it has no address.", this.config.name));
    const { BrowserSignIn } = await import("./connection/signIn");
    const open = async (address: string) => {
      this.sentTo = address;
      this.deps.onChange();
      await browser.open(address);
    };
    const opened = await BrowserSignIn.open(this.place(launch, secrets), {
      open,
      ...defined({ outside: browser.outside }),
    });
    this.browser = opened;
    this.sentTo = undefined;
    try {
      await connect();
    } finally {
      opened.close();
      // Somebody may have begun once more.
      if (this.browser === opened) {
        this.browser = undefined;
        this.sentTo = undefined;
        this.deps.onChange();
      }
    }
  }

  async forget(): Promise<void> {
    const launch = await fillIn(this.config, this.deps.sources);
    const { signOut } = await import("./connection/signIn");
    if (launch.type !== "stdio" && this.deps.secrets) await signOut(launch.url, this.deps.secrets);
  }

  /** What a connection shows of it; undefined: nothing */
  async auth(launch: ReadyLaunch): Promise<ConnectDeps["auth"]> {
    const { secrets } = this.deps;
    if (this.browser || !secrets || launch.type === "stdio") return this.browser;
    const { isSignedIn, KeptSignIn } = await import("./connection/signIn");
    return (await isSignedIn(launch.url, secrets)) ? new KeptSignIn(this.place(launch, secrets)) : undefined;
  }

  private place({ url, oauth }: AddressLaunch, secrets: SecretTexts) {
    const { learn = () => undefined } = this.deps;
    return { url, ...defined({ oauth }), secrets, learn };
  }
}
