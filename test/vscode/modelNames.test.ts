/** The key goes nowhere by itself: not to an address that was just typed. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseAddress } from "../../src/models/address";
import { providerFor } from "../../src/models/index";
import { listModels } from "../../src/vscode/commands/modelNames";

interface Case {
  inUse?: string;
  key?: string;
  agrees?: boolean;
  /** the server lists without a key too */
  open?: boolean;
}

const provider = (origin: string) =>
  providerFor(parseAddress({ "model.baseUrl": `${origin}/v1`, "model.api": "auto" }));

/** What the server saw, whether the person was asked, and the names. */
async function run({ inUse = "https://api.openai.com/v1", key, agrees = false, open = false }: Case) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    response.statusCode = open || authorization === "Bearer sk" ? 200 : 401;
    response.end(JSON.stringify({ data: [{ id: "b" }, { id: "a" }] }));
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let asked = false;
  const names = await listModels({
    baseUrl: `${origin}/v1`,
    inUse: inUse === "same" ? ` ${origin}/v1/ ` : inUse,
    key: async () => key,
    maySend: async () => {
      asked = true;
      return agrees;
    },
    list: sent => provider(origin).listModels(`${origin}/v1`, sent, new AbortController().signal),
  });
  await new Promise(resolve => server.close(resolve));
  return { seen, asked, names };
}

describe("models of a server", () => {
  const names = ["a", "b"];
  const check = (title: string, given: Case, expected: Awaited<ReturnType<typeof run>>) =>
    it(title, async () => assert.deepEqual(await run(given), expected));

  check(
    "a server that lists them to anybody never gets the key",
    { key: "sk", open: true },
    {
      seen: [undefined],
      asked: false,
      names,
    },
  );
  check(
    "one that wants a key gets it after a yes",
    { key: "sk", agrees: true },
    {
      seen: [undefined, "Bearer sk"],
      asked: true,
      names,
    },
  );
  check("after a no it does not", { key: "sk" }, { seen: [undefined], asked: true, names: undefined });
  check("without a key nobody is asked", {}, { seen: [undefined], asked: false, names: undefined });
  check(
    "where requests go with the key already, nobody is asked",
    { key: "sk", inUse: "same" },
    {
      seen: [undefined, "Bearer sk"],
      asked: false,
      names,
    },
  );
  check(
    "an address that is none is not the same",
    { key: "sk", inUse: "" },
    {
      seen: [undefined],
      asked: true,
      names: undefined,
    },
  );
});
