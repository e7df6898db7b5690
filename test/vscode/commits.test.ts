/** What git says of files that wait for a review: little is asked, and repositories come and go. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { GitApi } from "../../src/vscode/attachments/gitExtension";
import { Commits } from "../../src/vscode/review/commits";

function eventOf<T>() {
  const listeners = new Set<(value: T) => unknown>();
  const event = (listener: (value: T) => unknown) => {
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  };
  return { listeners, event, fire: (value: T) => listeners.forEach(listener => void listener(value)) };
}

const uri = (path: string) =>
  ({ scheme: "file", path, fsPath: path, toString: () => `file://${path}` }) as unknown as vscode.Uri;

/** @param tree what the newest commit has @param log what any commit ever changed */
function repositoryAt(root: string, tree: readonly string[], log = tree) {
  const changed = eventOf<void>();
  const asked: string[] = [];
  const repository = {
    rootUri: uri(root),
    inputBox: { value: "" },
    ui: { selected: true },
    state: {
      HEAD: { commit: "c1" },
      indexChanges: [],
      workingTreeChanges: [],
      mergeChanges: [],
      onDidChange: changed.event,
    },
    getObjectDetails: async (_: string, path: string) => {
      if (!tree.includes(path)) throw Object.assign(new Error("no"), { gitErrorCode: "UnknownPath" });
    },
    show: async () => "text",
    log: async ({ path }: { path: string }) => {
      asked.push(path);
      return log.includes(path) ? [{ commitDate: new Date(1000) }] : [];
    },
  };
  return { repository, changed, asked };
}

function gitWith(...repositories: ReturnType<typeof repositoryAt>[]) {
  const [opened, closed] = [eventOf<unknown>(), eventOf<unknown>()];
  const api = {
    state: "initialized",
    repositories: repositories.map(({ repository }) => repository),
    onDidOpenRepository: opened.event,
    onDidCloseRepository: closed.event,
  } as unknown as GitApi;
  return { api, opened, closed };
}

describe("what git says of files that wait", () => {
  const failures: unknown[] = [];
  let changes = 0;
  let commits: Commits;
  const follow = async (api: () => Promise<GitApi | { nothing: string }>) => {
    commits = new Commits({ api, onChange: () => changes++, failed: error => failures.push(error) });
    await commits.follow();
  };
  beforeEach(() => {
    failures.length = 0;
    changes = 0;
  });
  afterEach(() => commits.dispose());

  it("reads no log for a file that no commit has, but for one that a commit may have taken away", async () => {
    const git = repositoryAt("/r", ["/r/a.ts"], ["/r/a.ts", "/r/gone.ts"]);
    await follow(async () => gitWith(git).api);
    assert.equal(await commits.of(uri("/r/.env.local"), false), undefined);
    assert.deepEqual(git.asked, []);
    assert.equal((await commits.of(uri("/r/a.ts"), false))?.time, 1000);
    assert.equal((await commits.of(uri("/r/gone.ts"), true))?.time, 1000);
    assert.deepEqual(git.asked, ["/r/a.ts", "/r/gone.ts"]);
  });

  it("asks once for a file until there is another commit", async () => {
    const git = repositoryAt("/r", ["/r/a.ts"]);
    await follow(async () => gitWith(git).api);
    for (const commit of ["c1", "c1", "c2"]) {
      git.repository.state.HEAD = { commit };
      await commits.of(uri("/r/a.ts"), false);
    }
    assert.equal(git.asked.length, 2);
  });

  it("follows a repository that was closed and opened again", async () => {
    const [old, anew] = [repositoryAt("/r", []), repositoryAt("/r", ["/r/a.ts"])];
    const { api, opened, closed } = gitWith(old);
    await follow(async () => api);
    // The extension names the same repository by another object each time.
    closed.fire({ ...old.repository });
    assert.equal(old.changed.listeners.size, 0);
    assert.equal(await commits.of(uri("/r/a.ts"), false), undefined);
    opened.fire(anew.repository);
    const before = changes;
    anew.changed.fire();
    assert.equal(changes, before + 1);
    assert.equal((await commits.of(uri("/r/a.ts"), false))?.time, 1000);
  });

  it("finds git that is switched on later, and on again", async () => {
    const [first, second] = [repositoryAt("/r", []), repositoryAt("/r", ["/r/a.ts"])];
    const answers = [{ nothing: "off" }, gitWith(first), gitWith(second)];
    let asked = 0;
    await follow(async () => {
      const answer = answers[asked++];
      assert.ok(answer);
      return "api" in answer ? answer.api : answer;
    });
    await commits.follow();
    await commits.follow();
    assert.equal(asked, 2);
    const { closed } = answers[1] as ReturnType<typeof gitWith>;
    closed.fire(first.repository);
    await commits.follow();
    assert.equal(closed.listeners.size, 0, "nothing listens to what was switched off");
    assert.equal((await commits.of(uri("/r/a.ts"), false))?.time, 1000);
  });

  it("says once that git's extension failed", async () => {
    await follow(() => Promise.reject(new Error("broken")));
    await commits.follow();
    assert.equal(failures.length, 1);
  });

  it("listens to nothing any more when it is disposed", async () => {
    const git = repositoryAt("/r", []);
    const { api, opened, closed } = gitWith(git);
    await follow(async () => api);
    commits.dispose();
    assert.deepEqual(
      [git.changed, opened, closed].map(({ listeners }) => listeners.size),
      [0, 0, 0],
    );
  });
});
