/** Where secrets come from, and where placeholders keep what they stand for (CONTEXT.md, section 11). */

/** A variable of an `.env` file or of the environment. */
export interface NamedValue {
  name: string;
  value: string;
}

/** The `.env` files of the workspace, trusted or not: reading them only hides what is in them. */
export interface EnvFiles {
  /**
   * Their texts; what has not changed is not read again, and is the same string. Never rejects.
   * @param scope "workspace": looks for files anew; "known": only where some were found, and in the roots
   */
  read(scope: "workspace" | "known"): Promise<readonly string[]>;
}

/** One text in a place that only the user can read. Its methods reject where the place cannot be used. */
export interface SecretVault {
  /** undefined: nothing was kept yet */
  read(): Promise<string | undefined>;
  /**
   * Replaces the text by what `change` makes of it, without losing what another process writes at the same time: so it
   * may call `change` several times. What `change` throws comes through.
   */
  update(change: (kept: string | undefined) => string): Promise<void>;
  /**
   * Moves a text that makes no sense out of the way, if it is still the one that is kept. Resolves to where such texts are,
   * in words for a person.
   */
  setAside(text: string): Promise<string>;
}
