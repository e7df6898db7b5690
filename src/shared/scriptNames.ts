/** Scripts, by the endings of their names: of what a command may start. */

const SCRIPT =
  /\.(?:[cm]?[jt]sx?|py[wz]?|rb|pl|php|lua|r|jl|exs?|go|kts?|groovy|tcl|(?:ba|z|fi|da|k)?sh|ps1|cmd|bat|vbs|jar|dll|wasm)$/i;
const SHELL_SCRIPT = /\.(?:ba|z|da|k)?sh$/i;

export const isScriptName = (path: string): boolean => SCRIPT.test(path);
export const isShellScriptName = (path: string): boolean => SHELL_SCRIPT.test(path);
