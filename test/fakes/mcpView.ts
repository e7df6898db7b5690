/** What the panel's view of MCP servers works on, with an editor that a test looks into. */
import type { McpControl } from "../../src/core/ground/ports";
import type { McpViewDeps } from "../../src/vscode/panel/tools/mcpHandlers";

/** @param servers absent: nobody looks at them */
export function mcpView(servers?: McpControl, off: string[] = []) {
  const done: string[] = [];
  const deps: McpViewDeps = {
    async servers() {
      if (!servers) throw new Error("nobody asks for servers here");
      return servers;
    },
    off: () => off,
    setOff: async names => void off.splice(0, off.length, ...names),
    browser: { open: async address => void done.push(`browser ${address}`) },
    openConfig: async path => void done.push(`config ${path}`),
    openOwnConfig: async () => void done.push("own config"),
    openText: async (name, text) => void done.push(`${name}: ${text}`),
    complain: text => void done.push(`complaint ${text}`),
  };
  return { deps, done, off };
}
