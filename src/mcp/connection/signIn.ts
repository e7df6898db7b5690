/** Signing in through the browser (OAuth). The package finds the authorization server and proves with PKCE; here: what is kept, and where the browser comes back to. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { OAuthClientInformationContext, OAuthClientProvider } from "@modelcontextprotocol/client";
import * as z from "zod";
import type { SignInBrowser } from "../../core/ground/ports";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import type { AddressLaunch, OAuthClient, ServerConfig } from "../config/serverConfig";
import type { SecretTexts } from "../config/variables";
import { fillIn, McpError, plainVariables, type ReadyLaunch, type VariableSources } from "../config/variables";
import type { ConnectDeps } from "./connect";

const keptSchema = z.object({
  /** as the package gave them, with the issuer that they are for */
  client: z.looseObject({}).optional(),
  tokens: z.looseObject({}).optional(),
  discovery: z.looseObject({}).optional(),
  /** what a call wanted beyond what was granted: asked for with the next sign-in */
  wanted: z.string().optional(),
});
type SignInData = z.infer<typeof keptSchema>;
type ProviderAnswer<Method extends "clientInformation" | "tokens" | "discoveryState"> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[Method]>>
>;

interface SignInPlace {
  url: string;
  /** what the server's authorization server knows of us already */
  oauth?: OAuthClient;
  secrets: SecretTexts;
  learn(secret: string): void;
}

const CALLBACK_PATH = "/callback";
/** ms for a person to sign in */
const SIGN_IN_MS = 300_000;

const keyOf = (url: string) => `strata.mcp.oauth:${url}`;

/** There are tokens to send. */
const isSignedIn = async (url: string, secrets: SecretTexts) => (await readKept(url, secrets)).tokens !== undefined;

const signOut = async (url: string, secrets: SecretTexts): Promise<void> => secrets.delete(keyOf(url));

async function readKept(url: string, secrets: SecretTexts): Promise<SignInData> {
  try {
    return keptSchema.parse(JSON.parse((await secrets.get(keyOf(url))) ?? "{}"));
  } catch {
    // Signing in makes it anew.
    return {};
  }
}

/** Uses and refreshes what an earlier sign-in gave. It opens no browser. */
export class KeptSignIn implements OAuthClientProvider {
  private verifier = "";

  constructor(protected readonly place: SignInPlace) {}

  readonly redirectUrl: string = `http://127.0.0.1${CALLBACK_PATH}`;

  get clientMetadata(): OAuthClientProvider["clientMetadata"] {
    return {
      client_name: "Strata",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...defined({ scope: this.place.oauth?.scopes }),
    };
  }

  async clientInformation(at?: OAuthClientInformationContext) {
    const client = (await this.kept()).client as ProviderAnswer<"clientInformation">;
    const given = this.givenClient();
    if (!given) return client;
    const issuer = client?.client_id === given.client_id ? client.issuer : at?.issuer;
    // No other one than that of the first time is sent the secret: the server names another one now.
    if (at && issuer !== undefined && issuer !== at.issuer)
      throw new McpError(
        `The client's id was used at ${issuer}, and ${at.issuer} wants it now: sign out first if that is right`,
      );
    return { ...given, ...defined({ issuer }) };
  }

  /** undefined: none was given out beforehand, so Strata registers itself */
  protected givenClient(): ProviderAnswer<"clientInformation"> {
    const { clientId, clientSecret } = this.place.oauth ?? {};
    if (clientId === undefined) return undefined;
    if (clientSecret !== undefined) this.place.learn(clientSecret);
    return { client_id: clientId, ...defined({ client_secret: clientSecret }) };
  }

  async saveClientInformation(client: object): Promise<void> {
    await this.keep({ client: { ...client } });
  }

  async tokens() {
    const { tokens } = await this.kept();
    for (const name of ["access_token", "refresh_token"])
      if (typeof tokens?.[name] === "string") this.place.learn(tokens[name]);
    return tokens as ProviderAnswer<"tokens">;
  }

  async saveTokens(tokens: object): Promise<void> {
    await this.keep({ tokens: { ...tokens } });
  }

  async discoveryState() {
    return (await this.kept()).discovery as ProviderAnswer<"discoveryState">;
  }

  async saveDiscoveryState(discovery: object): Promise<void> {
    await this.keep({ discovery: { ...discovery } });
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier = (): string => this.verifier;

  async redirectToAuthorization(address: URL): Promise<void> {
    const wanted = address.searchParams.get("scope");
    if (wanted !== null) await this.keep({ wanted });
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all") return signOut(this.place.url, this.place.secrets);
    if (scope === "verifier") this.verifier = "";
    // It is configured, not registered: what is kept says where its secret may go.
    else if (scope === "client" && this.givenClient()) return;
    else await this.keep({ [scope]: undefined });
  }

  protected kept = (): Promise<SignInData> => readKept(this.place.url, this.place.secrets);

  protected async keep(change: SignInData): Promise<void> {
    await this.place.secrets.store(keyOf(this.place.url), JSON.stringify({ ...(await this.kept()), ...change }));
  }
}

/** Sends the person to the browser, which comes back to a port of this machine. Its maker closes it. */
class BrowserSignIn extends KeptSignIn {
  private readonly back = Promise.withResolvers<URLSearchParams>();
  private readonly expected = randomBytes(32).toString("base64url");
  private registered = false;
  private granted = false;

  static async open(place: SignInPlace, browser: SignInBrowser): Promise<BrowserSignIn> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", error =>
        reject(new McpError(`The browser has no port of this machine to come back to: ${error.message}`)),
      );
      server.listen(place.oauth?.callbackPort ?? 0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    // With a port of its own it was registered under this name, as other clients have it.
    const here = `http://${place.oauth?.callbackPort === undefined ? "127.0.0.1" : "localhost"}:${port}${CALLBACK_PATH}`;
    try {
      return new BrowserSignIn(place, server, browser, (await browser.outside?.(here)) ?? here);
    } catch (error) {
      server.close();
      throw error;
    }
  }

  private constructor(
    place: SignInPlace,
    private readonly server: Server,
    private readonly browser: SignInBrowser,
    /** as the browser calls it */
    override readonly redirectUrl: string,
  ) {
    super(place);
    this.back.promise.catch(() => undefined);
    server.on("request", (request, response) => {
      // Other visitors may send an invalid address.
      const asked = URL.parse(request.url ?? "/", "http://127.0.0.1");
      const { pathname, searchParams } = asked ?? new URL("http://127.0.0.1");
      const isOurs = pathname === CALLBACK_PATH && sameText(searchParams.get("state") ?? "", this.expected);
      response.writeHead(isOurs ? 200 : 404, { "Content-Type": "text/plain; charset=utf-8" });
      response.end(isOurs ? t("You can close this page and go back to Strata.") : t("Nothing is here."));
      if (isOurs) this.back.resolve(searchParams);
    });
  }

  /** One that was registered before comes back to another port. */
  override async clientInformation(at?: OAuthClientInformationContext) {
    const given = this.givenClient();
    if (!given || this.registered) return this.registered ? super.clientInformation(at) : undefined;
    const { client_id: id } = given;
    if ((await this.kept()).client?.client_id !== id)
      await this.keep({ client: { client_id: id, issuer: at?.issuer } });
    return super.clientInformation(at);
  }

  override async saveClientInformation(client: object): Promise<void> {
    this.registered = true;
    await super.saveClientInformation(client);
  }

  /** Earlier tokens may allow too little, or be of another account. */
  override async tokens() {
    return this.granted ? super.tokens() : undefined;
  }

  override async saveTokens(tokens: object): Promise<void> {
    this.granted = true;
    await super.saveTokens(tokens);
  }

  state = (): string => this.expected;

  override async redirectToAuthorization(address: URL): Promise<void> {
    const { wanted } = await this.kept();
    const scopes = [address.searchParams.get("scope"), wanted].flatMap(scope => scope?.split(" ") ?? []);
    if (scopes.length > 0) address.searchParams.set("scope", [...new Set(scopes)].join(" "));
    const { protocol, username, password } = address;
    // The server chose the address, and the system may open any program for it.
    if (!/^https?:$/.test(protocol) || username !== "" || password !== "")
      throw new McpError(`It wants people to sign in at ${address.href.slice(0, 200)}, which is no address of the web`);
    await this.browser.open(address.href);
  }

  /** What the browser came back with. Rejects with McpError after five minutes, or with the signal's reason. */
  async callback(signal: AbortSignal): Promise<URLSearchParams> {
    const late = AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_MS)]);
    late.addEventListener("abort", () => {
      this.back.reject(signal.aborted ? signal.reason : new McpError("Nobody signed in within five minutes."));
    });
    return this.back.promise;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

export interface SignedInDeps {
  sources: VariableSources;
  /** where tokens are kept; absent: there is no signing in */
  secrets?: SecretTexts;
  /** A secret that is to be kept from the model. */
  learn?(secret: string): void;
  /** The state of signing in changed. */
  onChange(): void;
}

/** Signing in to one server: under way, done, forgotten. */
export class SignedIn {
  private browser: BrowserSignIn | undefined;
  private sentTo: string | undefined;

  constructor(
    private readonly config: ServerConfig,
    private readonly deps: SignedInDeps,
  ) {}

  /** undefined: there is no signing in, or its address has open variables */
  async isThere(): Promise<boolean | undefined> {
    const { launch, origin } = this.config;
    const { secrets } = this.deps;
    const url = launch.type === "stdio" ? undefined : plainVariables(launch.url, origin.folder);
    if (url === undefined || url.includes("${") || !secrets) return undefined;
    return isSignedIn(url, secrets);
  }

  /** `at`: where the browser was sent; undefined: no sign-in is under way */
  get underWay(): { at?: string } | undefined {
    return this.browser && defined({ at: this.sentTo });
  }

  /** Connects while a person may sign in. Rejects with McpError, or as `connect` does. */
  async during(browser: SignInBrowser, connect: () => Promise<unknown>): Promise<void> {
    const { secrets } = this.deps;
    const launch = await fillIn(this.config, this.deps.sources);
    if (!secrets || launch.type === "stdio")
      throw new McpError(t("Nobody signs in to {0}: it has no address.", this.config.name));
    const opened = await BrowserSignIn.open(this.place(launch, secrets), {
      open: async (address: string) => {
        this.sentTo = address;
        this.deps.onChange();
        await browser.open(address);
      },
      ...defined({ outside: browser.outside }),
    });
    this.browser = opened;
    this.sentTo = undefined;
    try {
      await connect();
    } finally {
      opened.close();
      // Another sign-in may have begun.
      if (this.browser === opened) {
        this.browser = undefined;
        this.sentTo = undefined;
        this.deps.onChange();
      }
    }
  }

  async forget(): Promise<void> {
    const launch = await fillIn(this.config, this.deps.sources);
    if (launch.type !== "stdio" && this.deps.secrets) await signOut(launch.url, this.deps.secrets);
  }

  /** undefined: no tokens, and no sign-in under way */
  async auth(launch: ReadyLaunch): Promise<ConnectDeps["auth"]> {
    const { secrets } = this.deps;
    if (this.browser || !secrets || launch.type === "stdio") return this.browser;
    return (await isSignedIn(launch.url, secrets)) ? new KeptSignIn(this.place(launch, secrets)) : undefined;
  }

  private place({ url, oauth }: AddressLaunch, secrets: SecretTexts) {
    const { learn = () => undefined } = this.deps;
    return { url, ...defined({ oauth }), secrets, learn };
  }
}
