import assert from "node:assert/strict";
import { looksSecret } from "../../../src/core/secrets/looksSecret";

const token = "f3Kq9xL2vB7nR4wT";

describe("what looks secret", () => {
  const check = (expected: boolean, rows: readonly (readonly [name: string, value: string])[]) => {
    for (const [name, value] of rows)
      it(`${name}=${value}${expected ? "" : " does not"}`, () => assert.equal(looksSecret({ name, value }), expected));
  };

  describe("by its name", () => {
    check(true, [
      ["API_KEY", token],
      ["apiKey", token],
      ["GITHUB_TOKEN", token],
      ["my.service.secret", token],
      ["PGPASSWORD", token],
      ["MYSQL_PWD", token],
      ["DB_PASS", token],
      ["NPM_AUTH", token],
      ["PRIVATE_REGISTRY_LOGIN", token],
      ["GOOGLE_CREDENTIALS", `{"client_secret": "${token}"}`],
      ["SECRET_KEY_BASE", token],
      ["AWS_ACCESS_KEY_ID", token],
      ["ghtoken", token],
    ]);
    check(false, [
      ["AUTHOR", token],
      ["KEYBOARD_LAYOUT", token],
      ["MONKEY", token],
      ["TOKENIZER_MODEL", token],
      ["SECRETARY_NAME", token],
      ["COMPASS", token],
      ["DATABASE_URL", token],
      ["GIT_COMMIT", token],
      ["XAUTHORITY", token],
    ]);
  });

  describe("by its value", () => {
    check(true, [
      ["TOKEN", "abcdefgh1234"],
      ["LICENSE_KEY", "ABCD-1234-EFGH-5678"],
      ["SESSION_KEY", "8c6f1f9e-2f1c-4a55-9d3b-7f2f3c1f9a10"],
      ["TOKEN", "/wEPDwUKLTI2NjY5/Tx+Q=="],
      ["PWD", "hunter2-hunter2"],
      ["DB_PWD", "/wEPDwUKLTI2NjY5/Tx+Q=="],
      ["AUTH_HEADER", `Basic ${token}==`],
      ["AUTH_WEBHOOK", "https://hooks.example.com/services/T0A1/B0C2/x8Kd02mQzP4vLr7TnY1w"],
      ["AUTH_DB", "postgres://app:hunter2hunter2@db.example.com/app"],
      ["SSH_KEY", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN"],
    ]);
    check(false, [
      ["TOKEN", "a1B2c3D4e5F"],
      ["API_KEY", "xxxxxxxxxxxxxxxx"],
      ["API_KEY", "<your-api-key-1>"],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a file
      ["API_KEY", "${OTHER_API_KEY_2}"],
      ["API_KEY", "$(pass show api/key1)"],
      ["API_KEY", "your-api-key-here"],
      ["API_KEY", "[secret:API_KEY:0123456789ab]"],
      ["SSH_AUTH_SOCK", "/usr/bin/ssh-agent"],
      ["PWD", "/work/shop-2/web"],
      ["PWD", "/builds/group7/Project-x1"],
      ["PWD", "/github/workspace7/a1b2c3"],
      ["PWD", "D:\\code\\shop-2\\web"],
      ["PWD", "\\\\server1\\share2\\shop"],
      ["OLDPWD", "/code/Shop2/x9"],
      ["AWS_WEB_IDENTITY_TOKEN_FILE", "/secrets/k8s1/tok3n"],
      ["TOKEN_DIR", "/code/x9/t0ken5"],
      ["SSH_AUTH_SOCK", "/tmp/ssh-XXXXaB3dE9/agent.12345"],
      ["SSH_AUTH_SOCK", "/private/tmp/com.apple.launchd.x8Kd02mQzP/Listeners"],
      ["SSH_AUTH_SOCK", "\\\\.\\pipe\\openssh-ssh-agent1"],
      ["KEY_FILE", "C:\\Users\\ana7\\k3ys\\server.pem"],
      ["KEY_FILE", "./certs/x1y2z3/server.key"],
      ["KEY_FILE", "~/.ssh/id_ed25519_2"],
      ["KEY_FILE", "/certs/server.key"],
      ["AUTH_URL", "https://login.example.com/oauth2/token"],
      ["AUTH_URL", "https://login.example.com/8c6f1f9e-2f1c-4a55-9d3b-7f2f3c1f9a10/oauth2"],
      ["AUTH_DOMAIN", "dev-x1y2z3.eu.auth0.com"],
      ["AUTH_EMAIL", "ana7.m3yer@mail.example.com"],
      ["AUTH_PROVIDERS", "google,github,auth0"],
      ["AUTH_ENABLED", "true"],
      ["AUTH_COMMAND", "aws ecr get-login-password --region us-east-1"],
      ["TOKEN_LIMITS", "100000,200000"],
      ["KEY_CREATED", "2026-01-31T12:30:00Z"],
      ["PRIVATE_IP", "192.168.100.200"],
      ["PRIVATE_REGISTRY", "registry.example.com:5000"],
      ["KEY_ROTATION", "useLegacyRotationPolicy"],
    ]);
  });

  describe("a password may be words, unless they are everybody's", () => {
    check(true, [
      ["DB_PASSWORD", "correct-horse-battery-staple"],
      ["DB_PASSWORD_PROD", "correct horse battery staple"],
      ["JWT_SECRET", "sunflowers-over-brooklyn"],
      ["FLASK_SECRET_KEY", "sunflowers-over-brooklyn"],
      ["GMAIL_APP_PASSWORD", "qwmz kvht rpxb nldc"],
    ]);
    check(false, [
      ["DB_PASSWORD", "please-change-me"],
      ["DB_PASSWORD", "postgres_password"],
      ["JWT_SECRET", "your-secret-here"],
      ["DB_PASSWORD_FILE", "/run/secrets/db_password1"],
      ["PASSWORD_RESET_TEMPLATE", "reset-password-mail"],
      ["SECRET_STORE", "vault-production"],
    ]);
  });
});
