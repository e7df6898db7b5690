/** The proxy that the environment names, for all that this process asks for over the network. */
import * as http from "node:http";

/** Who is on this machine is asked directly, whatever the environment forgot to except. */
const OWN = "localhost,127.0.0.1,[::1]";

type Environment = Readonly<Record<string, string | undefined>>;
/** since Node 24.14 */
type SetProxy = (environment: Environment) => () => void;

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case, count from now on.
 * @param warn is told where this version of Node cannot do so by itself
 * @returns what ends that
 */
export function proxyFromEnvironment(environment: Environment, warn: (text: string) => void): () => void {
  const set = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const [https, plain, except] = [set("HTTPS_PROXY"), set("HTTP_PROXY"), set("NO_PROXY")];
  if ((!https && !plain) || environment.NODE_USE_ENV_PROXY === "1") return () => undefined;
  const setProxy = (http as { setGlobalProxyFromEnv?: SetProxy }).setGlobalProxyFromEnv;
  if (setProxy) return setProxy({ https_proxy: https, http_proxy: plain, no_proxy: except ? `${except},${OWN}` : OWN });
  warn(
    "The environment names a proxy, and this version of Node uses it only with NODE_USE_ENV_PROXY=1 (from 22.21 on): set that too, or use Node 24.",
  );
  return () => undefined;
}
