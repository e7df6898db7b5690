/** Which files hold variables of the environment, by name (the last part of a path). */

/** `.env`, `.env.local`, `.env-prod`, `.envrc`, `prod.env`; not `.environment` */
export const isEnvFile = (name: string): boolean => /^\.env(?:rc$|(?![a-z]))|\.env$/i.test(name);
