import assert from "node:assert/strict";
import { connect } from "node:net";
import { proxyFromEnvironment, proxyHost } from "../../src/node/proxy";
import { listening } from "../fakes/http";

describe("the proxy of the environment", () => {
  const written: [what: string, value: string, host: string | undefined][] = [
    ["with a scheme", "http://proxy.test:3128", "proxy.test:3128"],
    ["as many write it", "proxy.test:3128", "proxy.test:3128"],
    ["an address", "127.0.0.1:3128", "127.0.0.1:3128"],
    ["with who may use it", "anna:pw@proxy.test:3128", "proxy.test:3128"],
    ["over TLS", "https://proxy.test", "proxy.test"],
    ["with blanks", "  proxy.test:3128\n", "proxy.test:3128"],
    ["of another kind", "socks5://127.0.0.1:1080", undefined],
    ["none", "http://a b", undefined],
    ["a path", "/etc/proxy", undefined],
    ["nothing", "", undefined],
  ];
  for (const [what, value, host] of written) {
    it(`${what}: ${JSON.stringify(value)} is ${host ?? "passed over, and said"}`, () => {
      for (const name of ["HTTPS_PROXY", "http_proxy"]) {
        const warnings: string[] = [];
        proxyFromEnvironment({ [name]: value }, text => warnings.push(text))();
        assert.equal(proxyHost({ [name]: value }), host);
        assert.equal(warnings.length, host === undefined && value !== "" ? 1 : 0);
        assert.doesNotMatch(warnings.join(""), /a b|1080|etc/);
      }
    });
  }

  it("is asked for every host but this machine and those that are excepted", async () => {
    const model = await listening((_, response) => response.end("a model"));
    const asked: string[] = [];
    const proxy = await listening();
    // It takes everybody to the one server there is.
    proxy.server.on("connect", (request, client) => {
      asked.push(String(request.url));
      const server = connect(Number(new URL(model.url).port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        server.pipe(client).pipe(server);
      });
    });
    const warnings: string[] = [];
    const end = proxyFromEnvironment({ HTTP_PROXY: proxy.url, NO_PROXY: "near.test" }, text => warnings.push(text));
    try {
      assert.equal(await (await fetch("http://model.test/v1")).text(), "a model");
      assert.equal(await (await fetch(`${model.url}/v1`)).text(), "a model");
      await assert.rejects(fetch("http://near.test/v1"));
      assert.deepEqual(asked, ["model.test:80"]);
      assert.deepEqual(warnings, []);
    } finally {
      end();
      await Promise.all([model.close(), proxy.close()]);
    }
  });
});
