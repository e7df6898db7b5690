import { NodeShell } from "../../src/node/shell";
import { shellContract } from "../contract/shell";

if (process.platform !== "win32") shellContract("NodeShell", () => new NodeShell());
