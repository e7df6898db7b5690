/** The proxy that the environment names, for all that this process asks for over the network. */
import { existsSync } from "node:fs";
import * as http from "node:http";
import { t } from "../shared/l10n";

/** Servers on this machine are always asked directly. */
const OWN = "localhost,127.0.0.1,[::1]";

type Environment = Readonly<Record<string, string | undefined>>;
/** since Node 24.14 */
type SetProxy = (environment: Environment) => () => void;

const set = (environment: Environment, name: string): string | undefined =>
  environment[name.toLowerCase()]?.trim() || environment[name]?.trim() || undefined;

/** As curl reads it: without a scheme it is http. undefined: not set or unusable */
function proxyIn(environment: Environment, name: string): string | undefined {
  const written = set(environment, name);
  if (written === undefined) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, pathname } = new URL(address);
  return /^https?:$/.test(protocol) && pathname === "/" ? address : undefined;
}

/** The host of the proxy that requests to other machines take, for people, without its login. */
export function proxyHost(environment: Environment): string | undefined {
  const address = proxyIn(environment, "HTTPS_PROXY") ?? proxyIn(environment, "HTTP_PROXY");
  return address && new URL(address).host;
}

/** The file of NODE_EXTRA_CA_CERTS, where it is not there: Node then goes on without it. */
export const lostCertificates = ({ NODE_EXTRA_CA_CERTS: file }: Environment): string | undefined =>
  file && !existsSync(file) ? file : undefined;

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case, count from now on.
 * @param warn is told where this version of Node cannot do so by itself, and what is no address of a proxy
 * @returns what ends that
 */
export function proxyFromEnvironment(environment: Environment, warn: (text: string) => void): () => void {
  for (const name of ["HTTPS_PROXY", "HTTP_PROXY"]) {
    if (set(environment, name) && !proxyIn(environment, name))
      warn(t("{0} names no proxy that can be used here, so it is passed over: write http://HOST:PORT.", name));
  }
  const [https, plain] = [proxyIn(environment, "HTTPS_PROXY"), proxyIn(environment, "HTTP_PROXY")];
  const except = set(environment, "NO_PROXY");
  if ((!https && !plain) || environment.NODE_USE_ENV_PROXY === "1") return () => undefined;
  const setProxy = (http as { setGlobalProxyFromEnv?: SetProxy }).setGlobalProxyFromEnv;
  if (setProxy) return setProxy({ https_proxy: https, http_proxy: plain, no_proxy: except ? `${except},${OWN}` : OWN });
  warn(
    t(
      "The environment names a proxy, and this version of Node uses it only with NODE_USE_ENV_PROXY=1 (from 22.21 on): set that too, or use Node 24.",
    ),
  );
  return () => undefined;
}
