// An MCP server over HTTP that wants people to sign in, and its authorization server, in one: whoever comes to sign in is let
// in at once. Plain JavaScript, so that tests in a real VS Code may use it too.
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * @param {string} [authorize] where it says that people sign in; undefined: at itself
 * @param {"none" | "refused"} [register] it takes no client that comes by itself
 * @returns address of the MCP server, what was asked of both, and what ends them
 */
export async function startSignInServer(authorize, register) {
  const asked = [];
  const [codes, tokens] = [new Map(), new Set()];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    let text = "";
    for await (const part of request) text += part;
    asked.push({
      path: pathname,
      query: Object.fromEntries(searchParams),
      text,
      authorization: request.headers.authorization,
    });
    const json = (status, body, headers = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(body === undefined ? "" : JSON.stringify(body));
    };
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === "/.well-known/oauth-authorization-server") return json(200, metadata());
    if (pathname === "/register" && register) return json(403, { error: "access_denied" });
    if (pathname === "/register") return json(201, { ...JSON.parse(text), client_id: "registered" });
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      const code = randomUUID();
      codes.set(code, searchParams.get("code_challenge"));
      back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: origin }).toString();
      response.writeHead(302, { Location: back.href });
      return response.end();
    }
    if (pathname === "/token") {
      const given = new URLSearchParams(text);
      const proof = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url");
      if (codes.get(given.get("code")) !== proof) return json(400, { error: "invalid_grant" });
      const token = randomUUID();
      tokens.add(token);
      return json(200, { access_token: token, token_type: "Bearer", expires_in: 3600 });
    }
    if (pathname === "/mcp") return answer(request, text, json);
    json(404, { error: "not found" });
  });
  const metadata = () => ({
    issuer: origin,
    authorization_endpoint: authorize ?? `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    ...(register !== "none" && { registration_endpoint: `${origin}/register` }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
    authorization_response_iss_parameter_supported: true,
  });
  const answer = (request, text, json) => {
    if (!tokens.has(request.headers.authorization?.replace("Bearer ", "")))
      return json(
        401,
        { error: "unauthorized" },
        {
          "WWW-Authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      );
    if (request.method !== "POST") return json(405);
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return json(202);
    const results = {
      initialize: () => ({
        ...{ protocolVersion: params.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: "tickets", version: "1" },
      }),
      "tools/list": () => ({
        tools: [{ name: "search", description: "Finds tickets", inputSchema: { type: "object", properties: {} } }],
      }),
    };
    const result = results[method];
    if (result) json(200, { jsonrpc: "2.0", id, result: result() });
    else json(200, { jsonrpc: "2.0", id, error: { code: -32601, message: `no ${method} here` } });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    ...{ url: `${origin}/mcp`, asked },
    async close() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}
