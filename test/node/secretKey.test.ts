import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyedHash, userKey } from "../../src/node/secretFiles";
import { temporaryFolder } from "../fakes/temporary";

describe("the key of placeholders", () => {
  const folder = temporaryFolder("key");
  const silent = (text: string) => assert.fail(text);

  it("is made once, for the user alone, and hashes the same from then on", () => {
    const config = join(folder, "config");
    const first = keyedHash(userKey(config, silent))("secret");
    assert.equal(keyedHash(userKey(config, silent))("secret"), first);
    assert.equal(statSync(join(config, "redaction.key")).mode & 0o777, 0o600);
  });

  it("is one for this process where it cannot be kept, and says so", () => {
    writeFileSync(join(folder, "file"), "");
    const said: string[] = [];
    const key = userKey(join(folder, "file", "config"), text => said.push(text));
    assert.equal(key.length, 32);
    assert.match(said.join(), /cannot be used .*placeholders for secrets will differ/);
  });
});
