import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { proxyFromEnvironment } from "../../src/node/proxy";

const listen = (server: Server) =>
  new Promise<number>(resolve => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));

describe("the proxy of the environment", () => {
  it("is asked for every host but this machine and those that are excepted", async () => {
    const model = createServer((_, response) => response.end("a model"));
    const port = await listen(model);
    const asked: string[] = [];
    const proxy = createServer();
    // It takes everybody to the one server there is.
    proxy.on("connect", (request, client) => {
      asked.push(String(request.url));
      const server = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        server.pipe(client).pipe(server);
      });
    });
    const address = `http://127.0.0.1:${await listen(proxy)}`;
    const warnings: string[] = [];
    const end = proxyFromEnvironment({ HTTP_PROXY: address, NO_PROXY: "near.test" }, text => warnings.push(text));
    try {
      assert.equal(await (await fetch("http://model.test/v1")).text(), "a model");
      assert.equal(await (await fetch(`http://127.0.0.1:${port}/v1`)).text(), "a model");
      await assert.rejects(fetch("http://near.test/v1"));
      assert.deepEqual(asked, ["model.test:80"]);
      assert.deepEqual(warnings, []);
    } finally {
      end();
      for (const server of [model, proxy]) {
        server.closeAllConnections();
        server.close();
      }
    }
  });
});
