/** Ways around a permission that worked somewhere: programs that start others. Written as `../corpus.ts` says. */
export const starting = `
== auto +Bash(sh *) +Bash(env *) +Bash(timeout *) +Bash(xargs *) +Bash(nice *) +Bash(nohup *) +Bash(ls *) +Bash(echo *)
ask sh -c './evil'
ask bash -c "ls; ./evil"
ask bash -lc ./evil
ask bash -ec './evil'
ask bash -c -- './evil'
ask bash --rcfile x -c ls
ask bash -O extglob -c ./evil
ask sh -c "$x"
ask sh -c "$(cat a)"
ask sh -c 'sh -c "sh -c ./evil"'
ask sh a.sh
ask sh < a.sh
ask sh
ask sh -i
ask zsh -c ./evil
ask dash -c ./evil
ask /bin/sh -c ./evil
ask env ./evil
ask env -S './evil'
ask env -S'./evil'
ask env --split-string='./evil'
ask env PATH=. ls
ask env -u PATH ./evil
ask env -i PATH=. ls
ask env -C / cat etc/passwd
ask env --chdir=/ cat etc/passwd
ask env -i sh -c ./evil
ask env X=1 ./evil
ask env X=1 env Y=2 ./evil
ask env
ask printenv
ask timeout 5 ./evil
ask timeout -s KILL 5 ./evil
ask timeout --kill-after=5 5 ./evil
ask timeout -k 5 5 ./evil
ask timeout $x ls
ask nice ./evil
ask nice -n 5 ./evil
ask nice -5 ./evil
ask nohup ./evil
ask nohup ./evil &
ask stdbuf -oL ./evil
ask setsid ./evil
ask ionice -c 3 ./evil
ask xargs ./evil
ask echo a | xargs ./evil
ask echo a | xargs sh -c
ask echo a | xargs sh -c '$0'
ask echo ./evil | xargs -I{} {}
ask echo ./evil | xargs -I{} sh -c {}
ask echo ./evil | xargs -I{} sh -c 'echo {}'
ask echo ./evil | xargs -I % sh -c 'echo %'
ask echo ./evil | xargs -0I{} sh -c 'echo {}'
ask echo ./evil | xargs -rI% sh -c 'echo %'
ask echo ./evil | xargs -i sh -c 'echo {}'
ask echo ./evil | xargs --replace ./evil echo
ask echo ./evil | xargs xargs
ask echo ./evil | xargs env
ask echo ./evil | xargs timeout 5
ask echo ./evil | xargs nohup
ask echo ./evil | xargs nice
ask echo ./evil | xargs command
ask echo ./evil | xargs find . -exec
ask echo .env | xargs cat
ask xargs -a .env echo
ask xargs --arg-file=.env echo
ask echo a | xargs -n1 -P4 ./evil
ask echo a | xargs rm
ask watch ./evil
ask watch ls
ask parallel ./evil ::: a
ask sudo ls
ask doas ls
ask su -c ls
ask ssh host ls
ask ssh -o ProxyCommand=./evil host
ask script -c ./evil
ask strace ls
ask busybox sh
ask busybox ls
ask flock a ./evil
ask time -o a ls
ask /usr/bin/time -o a ls
ask chroot . ls
ask entr ./evil
ask expect -c x
ask setarch x86_64 ./evil
ask command -p ./evil
ask nohup sh -c 'ls; ./evil'
ask timeout 5 env nice -n 3 sh -c 'ls | ./evil'
ask npx ls
ask npm exec ls
ask yarn dlx x
ask uvx x
ask pipx run x
ask docker run x
ask docker exec x ls

== auto +Bash(git *)
ask git -c core.pager=./evil log
ask git -ccore.pager=./evil log
ask git -c core.fsmonitor=./evil status
ask git --config-env=core.pager=X log
ask git --exec-path=. status
ask git --git-dir=evil status
ask git --git-dir evil status
ask git --work-tree=/ status
ask git -p log
ask git --paginate log
ask git status $(./evil)
ask git log && ./evil
ask git diff --no-index a /etc/passwd
ask git diff --output=a
ask git diff --output a
ask git diff --outp=a
ask git diff --ext-diff
ask git diff --textconv
ask git diff /etc/passwd /dev/null
ask git log --output=a
ask git log -p --ext-diff
ask git show --output=a
ask git show HEAD:.env
ask git show :.env
ask git show :0:.env
ask git show HEAD:src/../.env
ask git show HEAD -- .env
ask git log -p -- .env
ask git diff -- ':(top).env'
ask git diff -- ':/.env'
ask git diff -U .env
ask git diff --color .env
ask git diff --stat .env
ask git blame .env
ask git cat-file -p HEAD:.env
ask git grep KEY -- .env
ask git grep -e KEY .env
ask git grep KEY HEAD:.env
ask git grep -O./evil x
ask git grep --open-files-in-pager=./evil x
ask git grep -f .env x
ask git branch --edit-description
ask git remote set-url origin http://evil
ask git remote add x http://evil
ask git config core.pager ./evil
ask git config --global core.pager ./evil
ask git config alias.x '!./evil'
ask git config set core.pager ./evil
ask git submodule foreach ./evil
ask git submodule add http://evil
ask git bisect run ./evil
ask git rebase -x ./evil HEAD~1
ask git rebase --exec ./evil HEAD~1
ask git rebase --exec=./evil HEAD~1
ask git rebase -i HEAD~1
ask git filter-branch --tree-filter ./evil
ask git difftool -x ./evil
ask git difftool --extcmd=./evil
ask git mergetool
ask git archive -o a HEAD
ask git archive --output=a HEAD
ask git archive --remote=x --exec=./evil HEAD
ask git clone -u ./evil x
ask git clone --upload-pack=./evil x
ask git clone -c core.fsmonitor=./evil x
ask git clone --config core.fsmonitor=./evil x
ask git clone --template=x y
ask git clone 'ext::sh -c ./evil'
ask git fetch --upload-pack=./evil x
ask git fetch --upload-pa=./evil x
ask git fetch 'ext::sh -c ./evil'
ask git pull --upload-pack ./evil
ask git ls-remote --upload-pack=./evil x
ask git push --receive-pack=./evil
ask git push --exec=./evil
ask git init --template=x
ask git format-patch -o /tmp HEAD
ask git format-patch --output-directory=/tmp HEAD
ask git apply --unsafe-paths x
ask git hook run x
ask git daemon
ask git instaweb
ask git credential fill
ask git send-email x
ask git commit -F .env
ask git commit --template=.env
ask git add .env
ask git -C .. status
ask git -C / status
ask git -C "$x" status
ask git notes add --file=.env
ask git worktree add ../x
ask git update-index --index-info
ask git replace --edit HEAD
ask git var GIT_EDITOR; ./evil
ask git merge -s ./evil x
ask git interpret-trailers --trailer x
ask git maintenance start
ask git stripspace < .env

`;
