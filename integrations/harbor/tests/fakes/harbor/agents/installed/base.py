"""What strata_agent.py uses of Harbor's class of this name, after its source (0.25)."""

import functools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class NonZeroAgentExitCodeError(RuntimeError):
    pass


@dataclass
class CliFlag:
    kwarg: str
    cli: str
    type: str = "str"


def with_prompt_template(fn):
    @functools.wraps(fn)
    async def wrapper(self, instruction, *args, **kwargs):
        return await fn(self, self.render_instruction(instruction), *args, **kwargs)

    return wrapper


class BaseInstalledAgent:
    CLI_FLAGS: list[CliFlag] = []
    ERROR_PATTERNS: list[Any] = [("rate.?limit", NonZeroAgentExitCodeError)]
    SUPPORTS_ATIF = False
    SUPPORTS_RESUME = False
    _resume = False

    def __init__(self, logs_dir: Path, prompt_template_path=None, version=None, extra_env=None, *args, **kwargs):
        self.logs_dir = Path(logs_dir)
        self.model_name = kwargs.pop("model_name", None)
        names = {flag.kwarg for flag in self.CLI_FLAGS}
        self._flags = {name: kwargs.pop(name) for name in list(kwargs) if name in names}
        if kwargs:
            raise TypeError(f"unexpected: {kwargs}")
        self._extra_env = dict(extra_env or {})
        self._version = version

    def render_instruction(self, instruction: str) -> str:
        return instruction

    def build_cli_flags(self) -> str:
        return " ".join(f"{flag.cli} {self._flags[flag.kwarg]}" for flag in self.CLI_FLAGS if flag.kwarg in self._flags)

    def _get_env(self, name: str) -> str | None:
        return self._extra_env.get(name, os.environ.get(name))

    async def ensure_system_dependencies(self, environment, dependencies: tuple[str, ...]) -> None:
        environment.dependencies = dependencies

    async def exec_as_root(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return await self._exec(environment, command, "root", env)

    async def exec_as_agent(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return await self._exec(environment, command, None, env)

    async def _exec(self, environment, command, user, env):
        result = await environment.exec(command=f"set -o pipefail; {command}", user=user, env=env)
        if result.return_code != 0:
            raise NonZeroAgentExitCodeError(result.stdout)
        return result

    async def resume(self, instruction, environment, context):
        if not self.SUPPORTS_RESUME:
            raise NotImplementedError
        self._resume = True
        try:
            await self.run(instruction, environment, context)
        finally:
            self._resume = False
