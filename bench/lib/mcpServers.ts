/** What the benchmark of MCP calls needs of the product. */
export { McpServers } from "../../src/mcp/servers";
export { nodeClock } from "../../src/node/system";
