"""Strata as an installed agent of Harbor (README.md). Only Harbor and the standard library are imported."""

import hashlib
import json
import shlex
from pathlib import Path

from harbor.agents.installed.base import (
    BaseInstalledAgent,
    CliFlag,
    NonZeroAgentExitCodeError,
    with_prompt_template,
)
from harbor.agents.installed.node_install import nvm_node_install_snippet

LOGS = "/logs/agent"
PACKAGE = "/tmp/strata.tgz"
NODE_MAJOR = 24
NODE_MIN = 22

# Keys and addresses that are passed on where they are set; what Strata's own settings read begins with STRATA_.
VARIABLES = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_REGION",
    "STRATA_MODEL_BASE_URL",
    "STRATA_MODEL_PRICES",
    "STRATA_MODEL_REASONING",
    "STRATA_MODEL_CONTEXT_WINDOW",
)

# Harbor's names of providers whose own interface Strata speaks; any other is a server that OPENAI_BASE_URL names.
PROVIDERS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "gemini": "google",
    "bedrock": "bedrock",
}

# Where nvm, apk or the image put it.
FIND_NODE = 'export NVM_DIR="$HOME/.nvm"; [ ! -s "$NVM_DIR/nvm.sh" ] || . "$NVM_DIR/nvm.sh"; '


class TryLater(NonZeroAgentExitCodeError):
    """Exit code 75: a rate limit, an overload, a fault of the network. `--retry-include TryLater` tries again."""


class LimitReached(NonZeroAgentExitCodeError):
    """Exit code 5: one of the limits that were given. Trying again would end the same."""


class WaitsForAnswer(NonZeroAgentExitCodeError):
    """Exit code 3: something was needed that nobody was there to allow."""


ERRORS = {75: TryLater, 5: LimitReached, 3: WaitsForAnswer}


class Strata(BaseInstalledAgent):
    SUPPORTS_ATIF: bool = True
    # The same instruction goes on where it ended; another one is refused (README.md).
    SUPPORTS_RESUME: bool = True
    # The exit code says what happened. Words in the output may be those of the code that it works on.
    ERROR_PATTERNS = []
    CLI_FLAGS = [
        CliFlag("max_cost", cli="--max-cost", type="str"),
        CliFlag("max_minutes", cli="--max-minutes", type="str"),
        CliFlag("max_tokens", cli="--max-tokens", type="int"),
        CliFlag("max_steps", cli="--max-steps", type="int"),
    ]

    def __init__(self, *args, package: str | None = None, **kwargs):
        """package: the file that `npm run package -- terminal` makes; by default the newest one in this repository."""
        super().__init__(*args, **kwargs)
        built = sorted(Path(__file__).resolve().parents[2].glob("strata-*.tgz"), key=lambda path: path.stat().st_mtime)
        path = Path(package) if package else (built[-1] if built else None)
        if path is None or not path.is_file():
            raise ValueError(f"No package of Strata ({path}). Make it: npm run package -- terminal")
        self._package = path

    @staticmethod
    def name() -> str:
        return "strata"

    def get_version_command(self) -> str | None:
        return FIND_NODE + "strata --version"

    def parse_version(self, stdout: str) -> str:
        lines = stdout.strip().splitlines()
        return lines[-1].strip() if lines else ""

    async def install(self, environment) -> None:
        await self.ensure_system_dependencies(environment, ("bash", "curl", "git", "ca_certificates"))
        await environment.upload_file(self._package, PACKAGE)
        old = f"! node -e 'process.exit(parseInt(process.versions.node) < {NODE_MIN} ? 1 : 0)' 2>/dev/null"
        # nvm's builds do not run on musl.
        await self.exec_as_root(
            environment,
            command=f"if [ -f /etc/alpine-release ] && {old}; then apk add --no-cache nodejs npm libstdc++; fi",
        )
        await self.exec_as_agent(
            environment,
            command=(
                f"set -e; {FIND_NODE}if {old}; then {nvm_node_install_snippet(NODE_MAJOR)}; fi; "
                f'npm install -g --no-audit --no-fund --prefix "$HOME/.strata" {PACKAGE}'
            ),
        )

    @with_prompt_template
    async def run(self, instruction, environment, context) -> None:
        folder = f"{LOGS}/{self._folder(instruction)}"
        # Words that begin with a slash would be a command of Strata's.
        prompt = f"The task: {instruction}" if instruction.lstrip().startswith("/") else instruction
        options = ["--workspace", ".", "--out", folder, f"--prompt={prompt}", "--trust", "--mode", "auto"]
        if self.model_name:
            options += ["--model", self._model()]
        # Standard output stays short, and the exit code is data: the text of a task is nothing to judge a failure by.
        command = (
            f'{FIND_NODE}export PATH="$HOME/.strata/bin:$PATH"; '
            f"mkdir -p {folder}; strata run {shlex.join(options)} {self.build_cli_flags()} "
            f"</dev/null >{folder}/stdout.txt 2>{folder}/stderr.txt; code=$?; "
            f"cp {folder}/trajectory.json {LOGS}/trajectory.json 2>/dev/null; echo exit=$code"
        )
        result = await self.exec_as_agent(environment, command=command, env=self._environment())
        said = (result.stdout or "").strip().splitlines()
        code = int(said[-1].removeprefix("exit=")) if said and said[-1].startswith("exit=") else 1
        if code != 0:
            error = ERRORS.get(code, NonZeroAgentExitCodeError)
            raise error(f"strata run ended with exit code {code}: {folder}/result.json and stderr.txt say why")

    async def resume(self, instruction, environment, context) -> None:
        folder = f"{LOGS}/{self._folder(self.render_instruction(instruction))}"
        begun = await environment.exec(command=f"test -f {folder}/result.json")
        if begun.return_code != 0:
            raise NotImplementedError("Strata goes on with the instruction that it was given, not with another one")
        await super().resume(instruction, environment, context)

    def populate_context_post_run(self, context) -> None:
        """Sums what all runs of this trial took; what is broken or missing counts nothing."""
        results = [found for path in sorted(self.logs_dir.glob("strata-*/result.json")) if (found := _read(path))]
        usages = [result["usage"] for result in results if isinstance(result.get("usage"), dict)]
        if usages:
            # With what came from the provider's cache, as Harbor counts.
            context.n_input_tokens = sum(usage.get("input", 0) for usage in usages)
            context.n_output_tokens = sum(usage.get("output", 0) for usage in usages)
            context.n_cache_tokens = sum(usage.get("cachedInput", 0) for usage in usages)
        costs = [usage.get("cost") for usage in usages if not usage.get("costIsPartial")]
        if costs and len(costs) == len(usages) and None not in costs:
            context.cost_usd = sum(costs)
        keys = ("reason", "exit", "limit", "session", "model", "minutes", "steps", "base", "patch")
        context.metadata = {"strata": [{key: result[key] for key in keys if key in result} for result in results]}

    def _folder(self, instruction: str) -> str:
        return f"strata-{hashlib.sha256(instruction.encode()).hexdigest()[:12]}"

    def _model(self) -> str:
        provider, _, name = self.model_name.partition("/")
        if not name:
            return provider
        return f"{PROVIDERS[provider]}:{name}" if provider in PROVIDERS else name

    def _environment(self) -> dict[str, str]:
        found = {name: value for name in VARIABLES if (value := self._get_env(name)) is not None}
        # The container is the sandbox.
        return {**found, "STRATA_PERMISSIONS_RUN_EVERYTHING": "true"}


def _read(path: Path) -> dict | None:
    """None: it is half written, or of another version."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and result.get("version") == 1 else None
