/** All of this folder that the composition root loads late, behind one `import()`. */
export { createAgent } from "./agent";
export { editorAttachments } from "./attachments";
export { EditorSelection } from "./attachments/selection";
export { VSCodeDiagnostics } from "./diagnostics";
export { workspaceFolders } from "./documents";
export { excludedGlobs } from "./excludes";
export { VSCodeFiles } from "./files";
export { LastActiveEditor } from "./lastActiveEditor";
export { ChannelLogger } from "./logger";
export { VSCodeSearch } from "./search";
export { ApiKey, redactionKey, SecretStorageVault, usableSecrets } from "./secretStorage";
export { VSCodeSettings } from "./settings";
export { VSCodeSurroundings } from "./surroundings";
export { UnsavedDocuments } from "./unsavedDocuments";
export { RoutedRules } from "./virtualRules";
export { RoutedSearch, VirtualSearch } from "./virtualSearch";
