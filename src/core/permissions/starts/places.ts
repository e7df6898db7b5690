/** Places that a command may start something from, as an agreement is bound to them. */

import { folderOf, isBelow, isWithin, relativeTo } from "../../../shared/paths";
import type { NamedScript } from "../../ground/ports";
import type { Folders } from "../shell/script";
import { isState, wordsIn } from "./names";

const EVERYTHING: NamedScript = { path: ".", runs: true, whole: true };
/** Where commands have the project's folder from. */
export const FOLDER_VARIABLES = ["CLAUDE_PROJECT_DIR", "STRATA_PROJECT_DIR"];
export const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=(.*)/s;

export class StartedPlaces {
  readonly found: NamedScript[] = [];

  /** @param root absolute, '/' separators: names that lie in it are seen from there */
  constructor(readonly root: string) {}

  add(named: NamedScript): void {
    this.found.push({ ...named, path: this.#fromRoot(named.path) });
  }

  /** It is not known what is started. */
  everything(): void {
    this.found.push(EVERYTHING);
  }

  /** Runners look for their file in the folders above, too. */
  upwards(folder: string): string[] {
    const all = [folder];
    for (let at = folder; isBelow(this.root, at); ) {
      at = folderOf(at) || "/";
      all.push(at);
    }
    return all;
  }

  assigned(name: string, value: string | undefined, folders: Folders): void {
    const isObeyed = changesPrograms(name);
    if (value === undefined) {
      if (isObeyed) this.everything();
      return;
    }
    const { places, isOpen } = assignedPlaces(value, FOLDER_VARIABLES);
    if (isOpen && isObeyed) this.everything();
    for (const place of places) this.place(place, folders, isObeyed ? { runs: true, whole: true } : { runs: false });
  }

  /** Words that may be files that it reads: those that are programs count. */
  data(rest: readonly (string | undefined)[], folders: Folders): void {
    for (const word of rest) {
      if (word === undefined || word.length > 4_000) continue;
      const variable = ASSIGNMENT.exec(word);
      if (variable) this.assigned(variable[1] ?? "", variable[2], folders);
      const names = [{ word, way: undefined }, ...wordsIn(word)];
      for (const { word: path, way } of names)
        if (!isState(path)) for (const folder of folders ?? []) this.place(path, [folder], { runs: way !== undefined });
    }
  }

  /** undefined: only known when it runs */
  started(value: string | undefined, folders: Folders, mayBeFolder = true): void {
    if (value === undefined) {
      this.everything();
      return;
    }
    if (value === "") return;
    const pattern = value.search(/[*?[{]|[@+!]\(/);
    // What a pattern could mean lies below the folder that it begins with.
    if (pattern >= 0 && /(?:^|\/)\.\.(?:\/|$)/.test(value.slice(pattern))) {
      this.everything();
      return;
    }
    const path = pattern < 0 ? value : value.slice(0, pattern).replace(/[^/]*$/, "") || ".";
    this.place(path, folders, { runs: true, ...((mayBeFolder || pattern >= 0) && { whole: true }) });
  }

  place(path: string, folders: Folders, how: Omit<NamedScript, "path">): void {
    const places = this.seenFrom(path, folders);
    if (places === undefined) {
      if (how.runs) this.everything();
      return;
    }
    for (const place of places) this.add({ path: place, ...how });
  }

  seenFrom(path: string, folders: Folders): string[] | undefined {
    if (/^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/])/.test(path)) return [path];
    return folders?.map(folder => (path === "." ? folder : `${folder}/${path}`));
  }

  #fromRoot(path: string): string {
    return isWithin(this.root, path) ? relativeTo(this.root, path) || "." : path;
  }
}

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
function assignedPlaces(text: string, folders: readonly string[]): { places: string[]; isOpen: boolean } {
  const own = new RegExp(`\\$\\{?(?:PWD|${folders.join("|")})\\}?`, "g");
  const plain = text.replace(/["']/g, "").replace(own, ".");
  const pieces = plain.split(/[\s:;,=]+/).filter(piece => piece !== "" && !KNOWN.test(piece));
  const isOpen = pieces.some(piece => /[$`*?[]/.test(piece));
  return { places: pieces.filter(piece => !/[$`]/.test(piece)), isOpen };
}
