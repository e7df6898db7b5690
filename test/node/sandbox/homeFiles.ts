/** What lies in the home of a person who writes programs. */

const paths = (text: string) => text.trim().split(/\s*\|\s*/);

/** Where programs keep what opens doors, as on machines of people who write programs. */
export const SECRETS = paths(`
  .ssh/id_ed25519 | .ssh/config | .ssh/known_hosts | .gnupg/private-keys-v1.d/a.key | .gnupg/pubring.kbx |
  .aws/credentials | .aws/config | .aws/sso/cache/a.json | .azure/msal_token_cache.json | .oci/config |
  .config/gcloud/application_default_credentials.json | .config/gcloud/credentials.db | .kube/config |
  .docker/config.json | .config/containers/auth.json | .config/gh/hosts.yml | .config/glab-cli/config.yml |
  .config/hub | .config/op/config | .config/rclone/rclone.conf | .config/doctl/config.yaml |
  .config/sops/age/keys.txt | .config/netlify/config.json | .config/configstore/firebase-tools.json |
  .config/heroku/x | .config/.wrangler/config | .config/github-copilot/hosts.json | .config/fish/config.fish |
  .config/fish/fish_variables | .config/strata/settings.json | .config/google-chrome/Default/Cookies |
  .config/chromium/Default/Login Data | .config/BraveSoftware/x | .mozilla/firefox/a/logins.json |
  .config/microsoft-edge/Default/Cookies | .config/Slack/Cookies | .config/discord/Local Storage/x |
  .config/Signal/config.json | .local/share/TelegramDesktop/tdata/key | .thunderbird/a/logins.json |
  .config/Element/x | .config/Bitwarden/data.json | .1password/agent | .password-store/a.gpg |
  .local/share/keyrings/login.keyring | .local/share/kwalletd/a.kwl | .keepass/a.kdbx | .netrc | _netrc | .pypirc |
  .git-credentials | .config/git/credentials | .pgpass | .my.cnf | .mylogin.cnf | .vault-token | .boto | .s3cfg |
  .terraformrc | .terraform.d/credentials.tfrc.json | .m2/settings.xml | .gradle/gradle.properties |
  .nuget/NuGet/NuGet.Config | .config/NuGet/NuGet.Config | .composer/auth.json | .bundle/config |
  .cargo/credentials.toml | .cargo/credentials | .gem/credentials | .pub-cache/credentials.json | .hex/hex.config |
  .cabal/config | .local/share/uv/credentials/credentials.toml | .cache/huggingface/token | .huggingface/token |
  .kaggle/kaggle.json | .dotnet/corefx/cryptography/x509stores/my/a.pfx | .bash_history | .zsh_history |
  .python_history | .node_repl_history | .psql_history | .mysql_history | .lesshst | .viminfo |
  .julia/logs/repl_history.jl | .pyenv/.python_history | .local/share/fish/fish_history |
  .local/share/atuin/history.db | .bashrc | .zshrc | .profile | .zshenv | .env | .envrc | .claude/.credentials.json |
  .codex/auth.json | .gemini/oauth_creds.json | .config/Code/User/globalStorage/state.vscdb |
  .vscode-server/data/User/globalStorage/x | .config/Cursor/User/globalStorage/state.vscdb |
  .config/JetBrains/x/options/security.xml | .local/share/com.vercel.cli/auth.json | .fly/config.yml |
  .supabase/access-token | .pulumi/credentials.json | .sentryclirc | .local/state/strata/sessions/x.jsonl |
  .cache/evolution/mail/x | .cache/mozilla/x | Documents/taxes.pdf | notes.txt | other-project/.env |
  other-project/src/secret.ts | .wasmer/wasmer.toml | .foundry/keystores/a | .ethereum/keystore/a |
  .bitcoin/wallet.dat | .config/solana/id.json | .electrum/wallets/a | .config/filezilla/sitemanager.xml |
  .putty/a.ppk | .config/remmina/a | .curlrc | .wgetrc
`);

/** What is needed, with the command that shows it. */
export const NEEDED = paths(`
  .nvm/versions/node/v1/bin/node | .cargo/bin/cargo | .cargo/registry/x | .rustup/toolchains/x | .pyenv/versions/x |
  .local/bin/tool | .local/lib/python3/x.py | .local/share/uv/tools/x | .local/share/pnpm/x | go/pkg/mod/x |
  bin/mine | .m2/repository/a.jar | .gradle/caches/x | .sdkman/candidates/x | .dotnet/dotnet | .nuget/packages/x |
  .bun/bin/bun | .cache/huggingface/hub/model | .cache/ms-playwright/chrome | .config/composer/vendor/x |
  tools/php/bin/php
`);

/** Settings, with a token in each. */
export const TOKENS: Readonly<Record<string, string>> = {
  ".npmrc": "registry=https://registry.example.com/\n//registry.example.com/:_authToken=SECRET\nsave-exact=true\n",
  ".gitconfig":
    '[user]\n\tname = Ann\n\temail = ann@example.com\n[credential]\n\thelper = "!echo SECRET"\n[core]\n\tautocrlf = input\n[url "https://ann:SECRET@example.com/"]\n\tinsteadOf = https://example.com/\n',
  ".config/pip/pip.conf": "[global]\ntimeout = 9\nextra-index-url =\n  https://u:SECRET@example.com/simple\n",
  ".cargo/config.toml": '[net]\noffline = true\n[registries.x]\ntoken = "SECRET"\n',
};

export const filled = (paths: readonly string[], text: string) => Object.fromEntries(paths.map(path => [path, text]));
