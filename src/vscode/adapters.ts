/** All of this folder that the composition root loads late, behind one `import()`. */
export { createAgent } from "./agent";
export { editorAttachments } from "./attachments";
export { EditorSelection } from "./attachments/selection";
export { VSCodeDiagnostics } from "./editor/diagnostics";
export { workspaceFolders } from "./editor/documents";
export { LastActiveEditor } from "./editor/lastActiveEditor";
export { excludedGlobs } from "./excludes";
export { VSCodeFiles } from "./files/files";
export { RoutedRules } from "./files/rules";
export { UnsavedDocuments } from "./files/unsavedDocuments";
export { ChannelLogger } from "./platform/logger";
export { ApiKey, redactionKey, SecretStorageVault, usableSecrets } from "./platform/secretStorage";
export { VSCodeSettings } from "./platform/settings";
export { VSCodeSearch } from "./search/unsavedSearch";
export { RoutedSearch, VirtualSearch } from "./search/virtualSearch";
export { VSCodeSurroundings } from "./surroundings";
