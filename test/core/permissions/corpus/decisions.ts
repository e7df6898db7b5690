/** What may run, by mode and rules that allow. Written as `../corpus.ts` says. */
export const decisions = String.raw`
== auto
allow ls
allow ls -la src
reads ls src/*.ts
allow cat src/a.ts
allow cat src/a.ts | head -20
allow cat -n src/a.ts | sed -n '1,20p'
allow head -50 src/a.ts; tail -5 src/a.ts
allow grep -rn "foo" src
allow grep -rn foo src | wc -l
allow grep -c 'a b' src/a.ts
allow grep --color=auto foo src/a.ts
allow rg -n foo src
reads rg 'a|b' -g '*.ts'
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
reads cd src; ls; pwd
ask (cd src && ls)
allow pwd
allow echo hello
ask echo "it's $USER"
allow echo 'a; rm -rf b'
allow echo "a && b"
reads echo a # rm -rf /
allow true && false || echo no
allow git status
allow git status --short
allow git status -uno
reads git diff
allow git diff --stat HEAD~1
reads git diff src/a.ts
allow git log --oneline -10
reads git log -p src/a.ts
reads git show HEAD
reads git show HEAD:src/a.ts
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
reads git grep -n foo
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
ask npm --version
ask go version
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
ask [ -d "$x" ] || echo no
ask [[ -f src/a.ts ]] && echo yes
ask for f in a b; do echo $f; done
ask if [ -f a ]; then echo yes; else echo no; fi
allow ls 2>/dev/null
allow ls 2>&1 | head
allow ls > /dev/null 2>&1
reads ls; exit 0
reads timeout 5 ls
reads time ls
ask nice -n 5 cat src/a.ts
ask env CI=1 ls
reads CI=1 ls
reads LC_ALL=C sort src/a.ts
ask sh -c 'ls && pwd'
ask bash -c "cat src/a.ts | head"
ask bash -lc 'ls'
ask echo $(ls)
ask echo "$(git rev-parse HEAD)"
ask x=$(ls); echo "$x"
ask cat <<'EOF'␊rm -rf /␊EOF
ask cat <<EOF␊hello␊EOF
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
ask less src/a.ts
ask find . -name '*.ts' | xargs wc -l
ask git ls-files | xargs wc -l
ask git help log
ask git help -w log
ask git log --show-signature
ask git grep --untracked x
ask git config --get --global user.password
allow grep -R x src
allow grep --dereference-recursive x src
ask rg -L x
ask rg --follow x
ask npm ls
ask npm ls --depth=0
allow node --check src/a.js
ask go env GOPATH
ask gofmt -l .
allow unzip -l a.zip
allow docker ps -a
allow hostname
ask nm a.o
reads ls -la␊cat src/a.ts
ask ls \␊  -la
ask set -e; ls
ask set -euo pipefail; ls
ask ! grep -q foo src/a.ts
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
ask (npm test)
ask if npm test; then echo ok; fi
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

== auto -Bash(sed -i *) -Bash(rm -rf *) -Bash(git push -f *)
deny sed --in-place s/a/b/ src/a.ts
deny sed --in-pl s/a/b/ src/a.ts
deny sed -ni p src/a.ts
deny sed -i.bak s/a/b/ src/a.ts
deny sed -n -i p src/a.ts
deny sed s/a/b/ -i src/a.ts
deny sed s/a/b/ src/a.ts --in-place=.bak
allow sed -n p src/a.ts
deny rm --recursive --force x
deny rm -R x -f
deny git push --force origin
deny git push origin -f

== auto +Bash(bin/foo *) +Bash(npm test *)
allow bin/foo x
allow ./bin/foo x
ask foo x
ask /bin/foo x
allow npm test a
ask npm test $x

== ask +Bash(ls *)
allow ls src
ask cat src/a.ts
ask cd src
`;
