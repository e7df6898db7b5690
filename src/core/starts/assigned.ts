/** Variables by which a program that is harmless itself runs or loads something else. */

const OBEYED =
  /^(?:path|pathext|shell|ifs|zdotdir|openssl_(?:conf|modules)|goflags|kubeconfig|aws_config_file|xdg_config_(?:home|dirs)|maven_opts|rustc(?:_workspace)?_wrapper|rustc|env|bash_env|comspec|ld_.+|dyld_.+|glibc_tunables|gconv_path|node_(?:options|path|repl_external_module|extra_ca_certs)|(?:npm|pnpm|yarn|bun)_.+|python(?:path|home|startup|warnings|breakpoint|user_?base|executable|pycacheprefix)|uv_.+|pip_.+|perl5?(?:opt|lib|db)|ruby(?:opt|lib)|gem_.+|bundle_.+|php(?:rc|_ini_scan_dir)|lua_.+|java_.+|_java_options|jdk_java_options|classpath|git_.+|ssh_askpass|(?:git_)?editor|visual|pager|browser|deno_.+|dotnet_.+|home|userprofile|(?:https?|all|no)_proxy|.+_(?:base_?url|api_?base|proxy|command|cmd|exec))$/i;

export const changesPrograms = (name: string): boolean => OBEYED.test(name);

/** Lists that a text adds to, and folders of the person's own. */
const KNOWN = /^(?:\$\{?\w*(?:PATH|OPTIONS|OPTS?|FLAGS|LIB)\}?(?::[-+][^}]*\})?|\$\{?HOME\}?(?:\/.*)?|~(?:\/.*)?)$/;

/**
 * The files and folders that a variable's text, as written, may hold.
 * @param folders names of variables that hold the folder itself
 */
export function assignedPlaces(text: string, folders: readonly string[]): { places: string[]; isOpen: boolean } {
  const own = new RegExp(`\\$\\{?(?:PWD|${folders.join("|")})\\}?`, "g");
  const plain = text.replace(/["']/g, "").replace(own, ".");
  const pieces = plain.split(/[\s:;,=]+/).filter(piece => piece !== "" && !KNOWN.test(piece));
  const isOpen = pieces.some(piece => /[$`*?[]/.test(piece));
  return { places: pieces.filter(piece => !/[$`]/.test(piece)), isOpen };
}
