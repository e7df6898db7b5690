/** The process of the mention server: its transport is what it was started with (`--node-ipc`, `--stdio`). */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { serve } from "./server";

const connection = createConnection(ProposedFeatures.all);
serve(connection);
connection.listen();
