/** Which files hold variables of the environment, and which keys, by name (the last part of a path). */

/** `.env`, `.env.local`, `.env-prod`, `.envrc`, `prod.env`; not `.environment` */
export const isEnvFile = (name: string): boolean => /^\.env(?:rc$|(?![a-z]))|\.env$/i.test(name);

/** They show which variables there are, and hold no secrets. */
export const isEnvExample = (name: string): boolean =>
  /\.(?:example|sample|template|tmpl|dist|defaults?|schema|test)$/i.test(name);

/** `id_ed25519`, `server.key`; also what is no private key */
export const isKeyFile = (name: string): boolean =>
  /^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|jks|keystore|ppk)$/i.test(name);
