/** What the benchmark of MCP calls needs of the product. */
export { McpServers } from "../../src/mcp/servers";
