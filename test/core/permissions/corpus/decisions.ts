/** What may run, by mode and rules that allow. Written as `../corpus.ts` says. */
export const decisions = String.raw`
== auto
allow ls
allow ls -la src
allow ls src/*.ts
allow cat src/a.ts
allow cat src/a.ts | head -20
allow cat -n src/a.ts | sed -n '1,20p'
allow head -50 src/a.ts; tail -5 src/a.ts
allow grep -rn "foo" src
allow grep -rn foo src | wc -l
allow grep -c 'a b' src/a.ts
allow grep --color=auto foo src/a.ts
allow rg -n foo src
allow rg 'a|b' -g '*.ts'
allow find . -name '*.ts' -type f
allow find src -name '*.ts' | head
allow find . -type f -not -path './node_modules/*' | wc -l
allow sed -n '10,20p' src/a.ts
allow sed 's/a/b/g' src/a.ts
allow awk '{print $1}' src/a.ts
allow awk -F: '{print $2}' src/a.ts
allow sort src/a.ts | uniq -c | sort -rn
allow cd src && ls
allow cd src && cat a.ts
allow cd src; ls; pwd
allow (cd src && ls)
allow pwd
allow echo hello
allow echo "it's $USER"
allow echo 'a; rm -rf b'
allow echo "a && b"
allow echo a # rm -rf /
allow true && false || echo no
allow git status
allow git status --short
allow git status -uno
allow git diff
allow git diff --stat HEAD~1
allow git diff src/a.ts
allow git log --oneline -10
allow git log -p src/a.ts
allow git show HEAD
allow git show HEAD:src/a.ts
allow git branch
allow git branch -a
allow git branch --show-current
allow git rev-parse --abbrev-ref HEAD
allow git --no-pager log -5
allow git -C src status
allow git blame -L 1,5 src/a.ts
allow git remote -v
allow git stash list
allow git ls-files
allow git ls-files | wc -l
allow git grep -n foo
allow git tag -l
allow wc -l src/a.ts
allow diff src/a.ts src/b.ts
allow diff -u src/a.ts src/b.ts
allow tree -L 2
allow file src/a.ts
allow stat src/a.ts
allow du -sh .
allow which node
allow command -v node
allow type ls
allow node --version
allow npm --version
allow go version
allow python3 --version
allow git --version
allow date
allow date +%s
allow uname -a
allow whoami
allow jq .name package.json
allow jq -r '.scripts | keys[]' package.json
allow cat package.json | jq .version
allow test -f src/a.ts && echo yes
allow [ -f src/a.ts ] && echo yes
allow [ -d "$x" ] || echo no
allow [[ -f src/a.ts ]] && echo yes
allow for f in a b; do echo $f; done
allow if [ -f a ]; then echo yes; else echo no; fi
allow ls 2>/dev/null
allow ls 2>&1 | head
allow ls > /dev/null 2>&1
allow ls; exit 0
allow timeout 5 ls
allow time ls
allow nice -n 5 cat src/a.ts
allow env CI=1 ls
allow CI=1 ls
allow LC_ALL=C sort src/a.ts
allow sh -c 'ls && pwd'
allow bash -c "cat src/a.ts | head"
allow bash -lc 'ls'
allow echo $(ls)
allow echo "$(git rev-parse HEAD)"
allow x=$(ls); echo "$x"
allow cat <<'EOF'␊rm -rf /␊EOF
allow cat <<EOF␊hello␊EOF
allow printf '%s\n' a b
allow printf "a\n"
allow basename src/a.ts
allow dirname src/a.ts
allow realpath src
allow seq 1 5
allow sleep 1
allow ps aux | grep node
allow tar tf a.tar
allow tar -tzf a.tar.gz
allow xxd src/a.ts
allow base64 src/a.ts
allow less src/a.ts
allow find . -name '*.ts' | xargs wc -l
allow git ls-files | xargs wc -l
ask git help log
ask git help -w log
ask git log --show-signature
ask git grep --untracked x
ask git config --get --global user.password
ask grep -R x src
ask grep --dereference-recursive x src
ask rg -L x
ask rg --follow x
ask npm ls
ask npm ls --depth=0
allow node --check src/a.js
ask go env GOPATH
allow gofmt -l .
allow unzip -l a.zip
allow docker ps -a
allow hostname
allow nm a.o
allow ls -la␊cat src/a.ts
allow ls \␊  -la
allow set -e; ls
allow set -euo pipefail; ls
allow ! grep -q foo src/a.ts
allow grep -v '^#' src/a.ts | cut -d: -f1 | tr a-z A-Z
allow echo 日本語
allow cat 日本.ts
ask npm test
ask npm install
ask make
ask cargo build
ask python3 x.py
ask pytest
ask ls && npm test
ask npm test | tail
ask rm -rf x
ask git commit -m x
ask git push
ask git checkout main
ask git branch new
ask git tag new
ask curl http://x
ask cat .env
ask ls ..
ask echo x > a

== ask
ask ls
ask cat src/a.ts
ask npm test
ask rm x

== plan
deny ls
deny rm x

== edits
allow ls
allow git status
ask npm test
ask echo x > a

== auto +Bash(npm test)
allow npm test
allow npm   test
allow 'npm' "test"
allow npm test && ls
allow npm test 2>&1 | tail -5
allow npm test # now
allow cd src && npm test
allow timeout 60 npm test
allow CI=1 npm test
allow (npm test)
allow if npm test; then echo ok; fi
ask npm test x
ask npm tests
ask npm test && npm publish
ask npm test > a
ask npm test $x
ask npm test; npm install
ask xargs npm test

== auto +Bash(npm test *)
allow npm test
allow npm test -- x
ask npm tests
ask npm testx
ask npm install
ask npm test -- .env
ask npm test ../x
ask npm test "$(./evil)"

== auto +Bash(npm test:*)
allow npm test
allow npm test x
ask npm testx
ask npm publish

== auto +Bash(npm *)
allow npm test
allow npm run build
ask npm test; rm x
ask npmx test

== auto +Bash(*)
allow rm src/*
allow npx prettier --write "src/**/*.ts"
ask rm .e*
ask cp src/* .git
allow npm test
allow rm x
allow ./evil
ask rm .env
ask rm -rf .git
ask rm -rf ../x
ask node -e 1
ask $x
ask eval x
ask PATH=. ls

== auto +Bash
allow npm test

`;
