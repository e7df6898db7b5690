/**
 * The page of the npm-packaged VS Code asks a proxy for each address of this machine, and that proxy belongs to a front which we do
 * not start. Here is who answers instead: it sends the browser, which is on this machine, to the address itself. Without it nothing
 * that an extension opens on this machine is there, and no sign-in comes back.
 */
import { once } from "node:events";
import { createServer } from "node:http";

/** @returns {Promise<{ template: string, close: () => void }>} `template`: for VSCODE_PROXY_URI. Keeps no process from its end. */
export async function startLoopback() {
  const server = createServer(({ url = "" }, response) => {
    const [, port, rest] = /^\/(\d{1,5})(\/.*)$/.exec(url) ?? [];
    response.writeHead(port ? 307 : 404, port && { Location: `http://127.0.0.1:${port}${rest}` }).end();
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    template: `http://localhost:${port}/{{port}}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
