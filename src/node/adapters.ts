/** The adapters of this folder that the extension's composition root loads late, behind one `import()`. */

export { rewinding } from "./baselines/baseline";
export { newScratchFolder, removeFolder } from "./disk";
export { NodeEnvFiles } from "./envFiles";
export { readExported, writeExported } from "./exportedFile";
export { NodeFiles } from "./files";
export { NodeHooks } from "./hooks";
export { patientFetch } from "./httpFetch";
export { NodeLogger } from "./logger";
export { managedSettings } from "./managedSettings";
export { OtlpTelemetry } from "./otlp";
export { realPath, withSlashes } from "./paths";
export { NodePictures } from "./pictures/nodePictures";
export { RipgrepSearch, vscodeRipgrep } from "./ripgrep";
export { NodeRules } from "./rules";
export { NodeSandbox } from "./sandbox/sandbox";
export { readGitChanges, readRecentSubjects } from "./shell/gitChanges";
export { ownShell } from "./shell/shell";
export { NodeSkills } from "./skills";
export { configDir, spendingDir, unreviewedDir } from "./stateFolders";
export { NodeStorage } from "./storage/sessionStorage";
export { NodeSpending } from "./storage/spending";
export { nodeClock, nodeHash, nodeIds, nodeRunningHash } from "./system";
export { worktreesFor } from "./worktrees/worktrees";
