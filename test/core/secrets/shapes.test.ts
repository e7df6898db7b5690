/** Keys and tokens as they stand in real files, and what only looks like one. */
import assert from "node:assert/strict";
import { createRedactor } from "../../../src/core/secrets/redact";
import { hash } from "../../fakes/hash";
import { base64, hex, secrets } from "./examples";

const redact = (text: string) => createRedactor(each => hash.sha256(each)).redact(text);

const harmless: readonly string[] = [
  "const token = useToken();",
  "password: hashedPassword,",
  "password: string;",
  'type="password" name="password-confirmation"',
  'passwordField: "confirm-new-password"',
  "apiKey: process.env.OPENAI_API_KEY,",
  "apiKey = config.get('api.key')",
  "api_key=$API_KEY",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a file
  "//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
  "accessToken: await getAccessToken(user),",
  'secretKey: "your-secret-key-here"',
  "secret_key: <your secret key>",
  "Bearer authentication is required",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in code
  "Bearer ${token}",
  "Basic understanding of TypeScript",
  "Basic usage-examples",
  "http://localhost:3000/a@b",
  "http://example.com:8080@proxy",
  "postgres://postgres:postgres@localhost:5432/app",
  "mysql://root:password@db/app",
  "postgres://app:$DB_PASSWORD@db/app",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a file
  "postgres://app:${DB_PASSWORD}@db/app",
  "postgres://app:<password>@db/app",
  "postgres://app:{{ db.password }}@db/app".replaceAll(" ", ""),
  "git@github.com:acme/shop.git",
  "ssh://git@example.com:22/a.git",
  `"integrity": "sha512-${base64(88)}"`,
  `commit ${hex(40)}`,
  `sha256:${hex(64)}`,
  "8c6f1f9e-2f1c-4a55-9d3b-7f2f3c1f9a10",
  `data:image/png;base64,${"iVBORw0KGgo".repeat(8)}`,
  'key: "ArrowLeft"',
  'primaryKey: "user_id_2024_created_at"',
  'publicKey: "see the certificate in docs"',
  "sortKey=created_at_descending",
  "session_key_rotation: weekly",
  "tokenType: Bearer",
  '"auth": "required"',
  '"auth": "authentication"',
  "MAX_TOKENS=100000",
  "passwordMinLength: 12345678901234567890",
  "密码：请在设置里填写，不要写在代码里",
  "口令 password：在环境变量里",
  "https://hooks.slack.com/services/your/webhook/address-goes-here",
  "discord.com/api/webhooks/{id}/{token}",
  "https://example.com/page?sig=short&x=1",
  "M.A.S.H. and other N.A.M.E.S of series",
  "glob-patterns-and-other-things-like-that",
  "gloss-paint and glcbt are words",
  "monkey-0a9f3c7e",
  "SKIP this test, SKU12345678901234567890123456789012",
  "dapifoo, figd_, r8_short, key-value-store",
  "hvs.example, dp.pt.name",
  "line 12: AccountKey=<key>;EndpointSuffix=core.windows.net",
];

describe("shapes of secrets", () => {
  for (const [text, secret] of secrets) {
    it(`hides ${secret.slice(0, 9)}… in ${text}`, () => {
      const at = text.lastIndexOf("@@") >= 0 ? text.lastIndexOf("@@") : text.indexOf("@");
      const whole = text.slice(0, at) + secret + text.slice(at + 1);
      const hidden = redact(whole);
      assert.ok(!hidden.includes(secret), hidden);
      assert.ok(hidden.startsWith(text.slice(0, at)), hidden);
      const redactor = createRedactor(each => hash.sha256(each));
      assert.equal(redactor.restore(redactor.redact(whole)), whole);
      assert.equal(redact(hidden), hidden);
    });
  }
  // An id beside the key is no secret by itself; a password that is cut is not known to be one.
  const openOnly = /^(?:ABIA|Server=|0a9f3c7e1b5d82460a9f3c7e1b5d8246-us)/;
  for (const [text, secret] of secrets.filter(([, secret]) => secret.length > 24 && !openOnly.test(secret)))
    it(`hides what a cut leaves of ${secret.slice(0, 9)}… in ${text}`, () => {
      const at = text.lastIndexOf("@@") >= 0 ? text.lastIndexOf("@@") : text.indexOf("@");
      for (const cut of new Set([secret.length - 1, Math.ceil(secret.length * 0.8)]))
        for (const end of ["", "\n", "\r\nmore", "… [3 more characters]"]) {
          const whole = text.slice(0, at) + secret.slice(0, cut) + end;
          const hidden = redact(whole);
          assert.ok(!hidden.includes(secret.slice(0, 24)) && !hidden.includes(secret.slice(cut - 16, cut)), hidden);
          assert.equal(redact(hidden), hidden);
        }
    });
  for (const text of harmless) it(`leaves ${text.slice(0, 60)}`, () => assert.equal(redact(text), text));
});
