"""python3 -m unittest, in this folder: a fake Harbor, and a shell on this machine as the container with a fake `strata` in it."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "tests" / "fakes")]

import strata_agent  # noqa: E402
from harbor.agents.installed.base import NonZeroAgentExitCodeError  # noqa: E402

# Keeps what it was started with, writes a result, ends with FAKE_EXIT and prints what a pattern would misread.
FAKE_STRATA = """#!/usr/bin/env python3
import json, os, sys
if "--version" in sys.argv:
    print("0.1.0")
    sys.exit()
out = sys.argv[sys.argv.index("--out") + 1]
os.makedirs(out, exist_ok=True)
with open(out + "/seen.jsonl", "a") as seen:
    seen.write(json.dumps({"args": sys.argv[1:], "env": dict(os.environ), "in": sys.stdin.read()}) + "\\n")
usage = {"input": 1000, "cachedInput": 600, "output": 50, "cost": 0.25}
with open(out + "/result.json", "w") as result:
    json.dump({"version": 1, "reason": "done", "exit": 0, "session": "ses_1", "usage": usage}, result)
with open(out + "/trajectory.json", "w") as trajectory:
    trajectory.write('{"schema_version": "ATIF-v1.7"}')
print("the code under test says: rate limit exceeded")
sys.exit(int(os.environ.get("FAKE_EXIT", "0")))
"""


class Container:
    """Commands run in a shell; /logs/agent and /tmp/strata.tgz are folders of the test's."""

    def __init__(self, root: Path):
        self.root, self.commands, self.uploads, self.run_for_real = root, [], [], True
        home = root / "home"
        (home / ".strata" / "bin").mkdir(parents=True)
        fake = home / ".strata" / "bin" / "strata"
        fake.write_text(FAKE_STRATA)
        fake.chmod(0o755)

    async def upload_file(self, source, target):
        self.uploads.append((str(source), target))

    async def exec(self, command, user=None, env=None, **_):
        self.commands.append((command, user))
        if not self.run_for_real:
            return SimpleNamespace(return_code=0, stdout="", stderr="")
        here = command.replace("/logs/agent", str(self.root / "logs"))
        variables = {"PATH": os.environ["PATH"], "HOME": str(self.root / "home"), **(env or {})}
        done = subprocess.run(["bash", "-c", here], capture_output=True, text=True, env=variables, cwd=self.root)
        return SimpleNamespace(return_code=done.returncode, stdout=done.stdout, stderr=done.stderr)


class StrataTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name)
        self.logs = self.root / "logs"
        self.logs.mkdir()
        self.package = self.root / "strata-9.9.9.tgz"
        self.package.touch()
        self.container = Container(self.root)

    def agent(self, **given):
        given.setdefault("package", str(self.package))
        return strata_agent.Strata(self.logs, **given)

    def run_agent(self, agent, instruction="Fix it"):
        asyncio.run(agent.run(instruction, self.container, SimpleNamespace()))

    def seen(self):
        lines = [line for path in sorted(self.logs.glob("strata-*/seen.jsonl")) for line in path.read_text().splitlines()]
        return [json.loads(line) for line in lines]

    def test_a_task_is_passed_on_whole_and_leaves_its_trajectory(self):
        nasty = "Fix \"it\" in '$HOME'; `rm -rf x` && echo $(id)\nline two \\ 中文"
        agent = self.agent(
            model_name="anthropic/claude-x", max_cost="1.5", max_steps=7, extra_env={"ANTHROPIC_API_KEY": "k"}
        )
        self.run_agent(agent, nasty)
        (seen,) = self.seen()
        self.assertIn(f"--prompt={nasty}", seen["args"])
        text = " ".join(seen["args"])
        for part in ("--model anthropic:claude-x", "--max-cost 1.5", "--max-steps 7", "--trust", "--mode auto"):
            self.assertIn(part, text)
        self.assertEqual(seen["env"]["ANTHROPIC_API_KEY"], "k")
        self.assertEqual(seen["env"]["STRATA_PERMISSIONS_RUN_EVERYTHING"], "true")
        self.assertEqual(seen["in"], "")
        self.assertTrue((self.logs / "trajectory.json").is_file())

    def test_words_that_would_be_a_command_of_ours_are_a_task(self):
        self.run_agent(self.agent(), "/app fails")
        self.assertIn("--prompt=The task: /app fails", self.seen()[0]["args"])

    def test_a_provider_that_is_a_server_gives_the_name_alone(self):
        self.run_agent(self.agent(model_name="openrouter/deepseek/deepseek-v4"))
        args = self.seen()[0]["args"]
        self.assertEqual(args[args.index("--model") + 1], "deepseek/deepseek-v4")

    def test_errors_go_by_the_exit_code_and_not_by_words(self):
        kinds = {75: strata_agent.TryLater, 5: strata_agent.LimitReached, 3: strata_agent.WaitsForAnswer}
        for code in (75, 5, 3, 1, 2, 130):
            strata = self.root / "home/.strata/bin/strata"
            strata.write_text(FAKE_STRATA.replace('"FAKE_EXIT", "0"', f'"FAKE_EXIT", "{code}"'))
            with self.assertRaises(NonZeroAgentExitCodeError) as raised:
                self.run_agent(self.agent())
            self.assertIs(type(raised.exception), kinds.get(code, NonZeroAgentExitCodeError))
            self.assertNotIn("rate limit", str(raised.exception))
            self.assertTrue((self.logs / "trajectory.json").is_file(), "also of a run that failed")
        self.assertEqual(strata_agent.Strata.ERROR_PATTERNS, [])

    def test_a_process_that_was_killed_is_an_error(self):
        (self.root / "home/.strata/bin/strata").write_text("#!/bin/sh\nkill -9 $$\n")
        with self.assertRaisesRegex(NonZeroAgentExitCodeError, "137"):
            self.run_agent(self.agent())

    def test_it_goes_on_in_the_same_folder_and_refuses_another_instruction(self):
        agent = self.agent()
        self.run_agent(agent, "One")
        asyncio.run(agent.resume("One", self.container, SimpleNamespace()))
        one, again = self.seen()
        self.assertEqual(one["args"], again["args"])
        with self.assertRaises(NotImplementedError):
            asyncio.run(agent.resume("Two", self.container, SimpleNamespace()))
        self.assertEqual(len(self.seen()), 2)

    def test_the_context_has_tokens_with_cache_reads_and_the_cost(self):
        agent, context = self.agent(), SimpleNamespace(cost_usd=None)
        self.run_agent(agent, "One")
        broken = self.logs / "strata-broken"
        for text in ("", '{"version": 1, "usa', '{"version": 2}', "[]"):
            broken.mkdir(exist_ok=True)
            (broken / "result.json").write_text(text)
            agent.populate_context_post_run(context)
        numbers = (context.n_input_tokens, context.n_cache_tokens, context.n_output_tokens, context.cost_usd)
        self.assertEqual(numbers, (1000, 600, 50, 0.25))
        self.assertEqual(context.metadata["strata"][0]["session"], "ses_1")

    def test_a_cost_that_is_not_known_is_none(self):
        agent, context = self.agent(), SimpleNamespace(cost_usd=None)
        self.run_agent(agent, "One")
        (path,) = self.logs.glob("strata-*/result.json")
        path.write_text(json.dumps({"version": 1, "usage": {"input": 1, "output": 1}}))
        agent.populate_context_post_run(context)
        self.assertIsNone(context.cost_usd)

    def test_install_uploads_the_package_and_needs_one(self):
        self.container.run_for_real = False
        agent = self.agent()
        asyncio.run(agent.install(self.container))
        self.assertEqual(self.container.uploads, [(str(self.package), "/tmp/strata.tgz")])
        command, user = self.container.commands[-1]
        self.assertIsNone(user, "as the agent's user")
        self.assertIn("/tmp/strata.tgz", command)
        self.assertIn("install-node 24", command)
        self.assertIn("git", self.container.dependencies)
        self.assertEqual(agent.parse_version("Now using node v24\n0.1.0\n"), "0.1.0")
        with self.assertRaisesRegex(ValueError, "npm run package -- terminal"):
            self.agent(package=str(self.root / "gone.tgz"))


if __name__ == "__main__":
    unittest.main()
