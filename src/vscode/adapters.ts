/** All of this folder that the composition root loads late, behind one `import()`. */
export { createAgent } from "./agent";
export { fileFolders } from "./documents";
export { excludedGlobs } from "./excludes";
export { VSCodeFiles } from "./files";
export { ChannelLogger } from "./logger";
export { VSCodeSearch } from "./search";
export { ApiKey, redactionKey, SecretStorageVault, usableSecrets } from "./secrets";
export { VSCodeSettings } from "./settings";
export { VSCodeSurroundings } from "./surroundings";
