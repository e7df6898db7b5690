/** The gate to the network: a proxy in this process that lets commands in the sandbox reach the hosts that a person allowed. */
import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, BlockList, connect, isIP, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";

interface Gate {
  socket: string;
  /** on this machine's loopback, for macOS */
  port: number | undefined;
}

type OpenGate = Gate & { server: Server };

const MAX_REFUSED = 20;
/** In a list of hosts: all that are not near. */
export const ANY_HOST = "*";

export class Gates {
  private readonly opened = new Map<string, Promise<OpenGate>>();
  private refused = new Set<string>();

  /** @param folder where sockets may lie: private, with a short path */
  constructor(private readonly folder: () => string) {}

  /** The same hosts have the same gate. @param hosts as in `strata.bash.network` */
  open(hosts: readonly string[]): Promise<Gate> {
    const key = JSON.stringify(hosts);
    const known = this.opened.get(key);
    if (known) return known;
    const opened = this.listen(hosts);
    this.opened.set(key, opened);
    opened.catch(() => this.opened.delete(key));
    return opened;
  }

  /** Hosts that were asked for in vain since the last call. */
  takeRefused(): string[] {
    const hosts = [...this.refused];
    this.refused = new Set();
    return hosts;
  }

  close(): void {
    const end = ({ server }: OpenGate) => {
      server.close();
      server.closeAllConnections();
    };
    for (const opened of this.opened.values()) opened.then(end, () => undefined);
    this.opened.clear();
  }

  private async listen(hosts: readonly string[]): Promise<OpenGate> {
    const server = createServer((asked, answer) => void this.pass(asked, answer, hosts));
    server.on(
      "connect",
      (asked: IncomingMessage, client: Duplex, head: Buffer) => void this.tunnel(asked, client, head, hosts),
    );
    const onMac = process.platform === "darwin";
    const socket = join(this.folder(), randomUUID().slice(0, 8));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      if (onMac) server.listen(0, "127.0.0.1", resolve);
      else server.listen(socket, resolve);
    });
    server.unref();
    return { server, socket, port: onMac ? (server.address() as AddressInfo).port : undefined };
  }

  /** `CONNECT host:port`: bytes both ways. */
  private async tunnel({ url = "" }: IncomingMessage, client: Duplex, head: Buffer, hosts: readonly string[]) {
    client.on("error", () => client.destroy());
    const place = split(url, 443);
    const address = place && (await this.addressOf(place, hosts));
    if (!place || !address) return void client.end(`HTTP/1.1 403 Forbidden\r\n\r\n${refusal(place?.host ?? url)}\n`);
    const far: Socket = connect(place.port, address, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.write(head);
      far.pipe(client);
      client.pipe(far);
    });
    far.on("error", () => client.destroy());
    client.on("close", () => far.destroy());
  }

  /** A request by its whole address, without encryption. */
  private async pass(asked: IncomingMessage, answer: ServerResponse, hosts: readonly string[]): Promise<void> {
    const url = URL.parse(asked.url ?? "");
    const place = url?.protocol === "http:" ? split(url.host, 80) : undefined;
    const address = place && (await this.addressOf(place, hosts));
    if (!url || !place || !address) {
      answer.writeHead(403).end(`${refusal(url?.hostname ?? asked.url ?? "")}\n`);
      return;
    }
    const { "proxy-connection": _, "proxy-authorization": __, ...headers } = asked.headers;
    const far = request(
      {
        host: address,
        port: place.port,
        method: asked.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host },
      },
      response => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    far.on("error", error => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end(String(error))));
    answer.on("close", () => far.destroy());
    asked.pipe(far);
  }

  /** undefined: not allowed, or not there */
  private async addressOf(place: HostPort, hosts: readonly string[]): Promise<string | undefined> {
    const allowed = hosts.find(entry => isAllowed(place, entry)) ?? hosts.find(entry => entry === ANY_HOST);
    if (allowed === undefined) {
      if (this.refused.size < MAX_REFUSED) this.refused.add(place.host.slice(0, 200));
      return undefined;
    }
    try {
      const { address, family } = await lookup(place.host);
      // A name that is allowed must not lead to this machine, to its network or to a cloud's metadata. Who wants that names it.
      const isNamed = allowed !== ANY_HOST && (isIP(place.host) !== 0 || place.host === "localhost");
      return isNamed || !NEAR.check(address, family === 6 ? "ipv6" : "ipv4") ? address : undefined;
    } catch {
      return undefined;
    }
  }
}

type HostPort = { host: string; port: number };

const NEAR = new BlockList();
for (const network of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
  ...["::/127", "fc00::/7", "fe80::/10"],
]) {
  const [address = "", bits] = network.split("/");
  NEAR.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}

/** "example.com:443", "[::1]:80" */
function split(text: string, usual: number): HostPort | undefined {
  const [, six, four, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:/@?#\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = (six ?? four ?? "").toLowerCase().replace(/\.$/, "");
  return host === "" ? undefined : { host, port: port === undefined ? usual : Number(port) };
}

/** `example.com` is this host at 80 and 443, `example.com:8443` at that port alone, `*.example.com` those below it, not itself. */
export function isAllowed({ host, port }: HostPort, entry: string): boolean {
  const named = split(entry.trim(), 0);
  if (!named) return false;
  if (named.port === 0 ? port !== 443 && port !== 80 : port !== named.port) return false;
  return named.host.startsWith("*.") ? host.endsWith(named.host.slice(1)) : host === named.host;
}

const refusal = (host: string) =>
  `Strata's sandbox does not let commands reach ${host}. The user can allow it in strata.bash.network.`;

/** The way from the sandbox to the gate: programs speak TCP to a proxy on their own loopback, which hands all on to the gate's socket, and runs the command. */

/** where the gate's socket is in the sandbox */
export const PROXY_SOCKET = "/dev/strata-gate";
const PORT = 3128;

const BRIDGE = `
const net = require("node:net");
const { spawn } = require("node:child_process");
const [socket, port, program, ...args] = process.argv.slice(1);
const server = net.createServer(near => {
  const far = net.connect(socket);
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
  near.pipe(far);
  far.pipe(near);
});
server.listen(Number(port), "127.0.0.1", () => {
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(program, args, { stdio: ["inherit", "inherit", "inherit", "inherit"], env });
  process.on("SIGTERM", () => undefined);
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (require("node:os").constants.signals[signal] ?? 0)));
  child.on("error", error => { console.error(String(error)); process.exit(127); });
});
server.on("error", error => { console.error("Strata's way to the network: " + error.message); process.exit(126); });
`;

export const bridged = (command: readonly string[]): { command: string[]; env: Record<string, string> } => ({
  command: [process.execPath, "-e", BRIDGE, PROXY_SOCKET, String(PORT), ...command],
  // the editor's own program is Node then
  env: process.versions.electron ? { ELECTRON_RUN_AS_NODE: "1" } : {},
});

/** For programs that ask the environment for a proxy: curl, git, npm, pip, cargo, go; Node's own `fetch` since 24. */
export function proxyVariables(port = PORT): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const none = "localhost,127.0.0.1,::1";
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: none,
    NODE_USE_ENV_PROXY: "1",
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: none,
  };
}
