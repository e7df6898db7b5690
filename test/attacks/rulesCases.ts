/**
 * Tried by hand against rules, in the mode Auto: `== rules` (`+` allows, `-` forbids, as in the corpus), then a decision and a command
 * in each line. Those against what forbids have a sandbox. `␊` is a line break, `⟨60⟩` any character by its number.
 */
export const cases = String.raw`
== -Bash(git push *)
deny git push origin
deny "git" push origin
deny g\it push
deny g''it pu"s"h origin
deny /usr/bin/git push
deny GIT push
deny git.exe push
deny git -C . push
deny git -c a.b=c push
ask git -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c -c a.b=c push
ask git --no-pager -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P -P push
deny git --git-dir .git --work-tree . push
deny git --git-dir=.git push
deny env git push
deny env -i git push
deny env X=1 git push
deny env - git push
deny env -u X git push
deny env -S 'git push'
deny env -S'git push'
deny env '-Sgit push'
deny env --split-string='git push'
deny env -vS 'git push'
deny X=1 git push
deny nice git push
deny nice -n 5 git push
deny nice -5 git push
deny nice --adjustment=5 git push
deny timeout 5 git push
deny timeout -k 1 5 git push
deny timeout -sKILL 5 git push
deny nohup git push
deny setsid git push
deny setsid -w git push
deny stdbuf -oL git push
deny ionice -c3 git push
deny time git push
deny time -p git push
deny /usr/bin/time -f x git push
deny command git push
deny command -p git push
deny exec git push
deny exec -a x git push
deny builtin command git push
deny busybox sh -c 'git push'
deny busybox nice git push
deny toybox nice git push
deny sudo git push
deny sudo -u root git push
deny sudo -- git push
deny doas git push
deny xargs git push
deny echo push | xargs git
deny echo x | xargs -I{} git push {}
deny xargs -a f git push
deny xargs -n1 git push < f
deny find . -exec git push \;
deny find . -ok git push \;
deny find . -execdir git push +
deny sh -c 'git push'
deny sh -xc 'git push'
deny bash -lc 'git push'
deny bash -c "git push"
deny bash --norc -c 'git push'
deny bash -c -- 'git push'
deny bash -o pipefail -c 'git push'
deny zsh -c 'git push'
deny dash -c 'git push'
deny ksh -c 'git push'
ask fish -c 'git push'
deny sh <<< 'git push'
deny bash <<EOF␊git push␊EOF
deny cat <<EOF | sh␊git push␊EOF
deny echo git push | sh
deny echo 'git push' | bash -s
deny printf 'git push' | bash
deny eval git push
deny eval 'git push'
deny eval "git" "push"
deny source /dev/stdin <<< 'git push'
deny . <(echo git push)
deny bash <(echo git push)
deny alias g=git; g push
deny alias g='git push'; g
deny f() { git push; }; f
deny function f { git push; }; f
deny f() { git "$@"; }; f push
deny trap 'git push' EXIT
deny coproc git push
deny coproc X { git push; }
deny ! git push
deny if git push; then :; fi
deny while git push; do :; done
deny for x in a; do git push; done
deny case x in x) git push;; esac
deny (git push)
deny { git push; }
deny git push &
deny true && git push
deny true | git push
deny false || git push
deny ⟨60⟩git push⟨60⟩
deny $(git push)
deny echo $(git push)
deny echo "$(git push)"
deny echo ⟨60⟩git push⟨60⟩
deny echo ⟨24⟩{x:-$(git push)}
deny x=$(git push)
deny cat <(git push)
deny [[ $(git push) ]]
deny (( $(git push) ))
ask git $x
ask $x push
ask git "$x"
deny g=git; $g push
deny a=push; git $a
deny git $(echo push)
ask git pu*
deny git {push,origin}
deny {git,push}
ask git pus[h]
ask git ⟨24⟩{x:-push}
deny git 'push'
deny git $'push'
deny git $'\x70ush'
deny $'git' push
deny $'\147it' push
allow git␊push
deny git \␊push
deny gi\␊t push
deny git	push
deny git  push
deny git push;
deny git push # x
deny # x␊git push
deny watch git push
deny watch 'git push'
deny script -c 'git push'
deny script -qc 'git push' /dev/null
deny flock x git push
deny flock x -c 'git push'
deny unshare git push
deny chroot / git push
deny strace git push
deny gdb --args git push
deny parallel git push ::: a
deny ssh h git push
deny su -c 'git push'
deny docker exec x git push
deny systemd-run git push
deny tmux new 'git push'
deny screen -dm git push
deny at now <<< 'git push'
deny npx git push
deny make -f - <<< 'x: ; git push'
deny setarch x git push
ask linux64 git push
ask chrt 1 git push
ask prlimit git push
ask fakeroot git push
ask /lib64/ld-linux-x86-64.so.2 /usr/bin/git push
ask python3 -c "import os; os.system('git push')"
ask python3 -c "import subprocess; subprocess.run(['git','push'])"
ask perl -e 'system "git push"'
ask perl -e 'exec qw(git push)'
ask ruby -e '⟨60⟩git push⟨60⟩'
ask node -e "require('child_process').execSync('git push')"
ask awk 'BEGIN{system("git push")}'
ask sed '1e git push' f
ask vim -c '!git push'
ask vim '+!git push'
ask rsync -e 'git push' a b:
ask tar --checkpoint-action=exec='git push' -cf x y
ask tar cf x y --to-command 'git push'
deny git -c alias.x='!git push' x
ask git -c alias.x=push x
ask git submodule foreach git push
ask git submodule foreach 'git push'
ask git rebase -x 'git push' HEAD
ask git bisect run git push
ask git filter-branch --tree-filter 'git push'
ask git config alias.p push; git p
ask git config core.pager 'git push'
deny GIT_PAGER='git push' git log
allow git diff --ext-diff
allow git for-each-ref
allow hg push
allow git pushx
allow git remote
allow git log --grep push
allow git commit -m 'git push'
allow echo git push
allow grep 'git push' f
deny /usr/lib/git-core/git-push origin
deny /usr/lib/git-core/git push
deny git-push origin
allow git send-pack
ask chronic git push
ask ifne git push
deny entr git push
ask hyperfine 'git push'
deny tee >(git push)
deny ls > >(git push)
deny git 2>/dev/null push
deny 2>/dev/null git push
deny <f git push
deny git <f push
deny git push>x
deny git>x push
deny git push|cat
deny git&&git push
ask !git push
deny select x in a; do git push; done
deny time -- git push
deny time ! git push
deny exec 3>&1; git push
deny exec >x git push
deny if :; then git push; fi
deny [ x ] && git push
deny test x && git push
deny until git push; do :; done
deny let x=1 && git push
deny nice nice nice git push
deny env env env git push
deny timeout 1 timeout 1 git push
deny nice env timeout 5 nohup stdbuf -o0 sh -c 'exec git push'
deny sh -c "sh -c \"git push\""
deny bash -c 'eval "git push"'
deny bash -c '$0 push' git
deny bash -c 'git "$@"' _ push
deny bash -c '"$@"' _ git push
deny sh -c '$1 $2' _ git push
deny xargs -I{} sh -c 'git push {}'
deny env -C / git push
deny env --chdir=/ git push
deny env --block-signal git push
deny env -0 git push
deny nohup -- git push
deny exec -c git push
deny command -- git push
deny builtin eval git push
deny git -p push
deny git --paginate push
deny git --bare push
deny git --namespace=x push
deny git --namespace x push
deny git --exec-path=. push
deny git --config-env=a.b=C push
deny git --super-prefix=x push
deny git --attr-source HEAD push
deny git --literal-pathspecs push
deny git --end-of-options push
deny git -- push
== -Bash(rm /etc/*) -Bash(node scripts/deploy.js *) -Bash(npm run deploy:prod) +Bash(npm run test)
ask chronic rm passwd
ask node -e "require('./scripts/deploy.js')"
ask node --env-file .env /home/u/ws/scripts/deploy.js
allow npm run test
== -Bash(git push *) -Bash(rm secret*) -Bash(rm -rf *)
deny python3 - <<EOF␊import os␊os.system('git push')␊EOF
deny python3 <<< "os.system('git push')"
deny ssh h <<EOF␊git push␊EOF
deny cat <<EOF␊git push␊EOF
deny git commit -F - <<EOF␊git push␊EOF
ask rm s*
ask rm -r* x
ask rm [s]ecret
allow rm src/*.ts
deny rm -r -f x
deny rm x -rf
deny rm --recursive --force x
deny rm --rec --fo x
deny rm -fR x
deny rm -vrf x
deny rm "-rf" x
deny rm -'r'f x
deny rm -r$F x
deny rm ⟨24⟩{X:--rf} x
deny rm $'-rf' x
allow rm -r x
allow ls *
ask echo 'git push' | python3
== +Bash(sed -i *)
ask sed -i '1e touch MARK' src/a.ts
ask sed -i 's/a/b/e' src/a.ts
ask sed -i 's/a/b/;w /tmp/MARK' src/a.ts
allow sed -i s/a/b/ src/a.ts
ask sed -i 's|a[0-9]*|b|g; /x/d' src/a.ts
ask sed -ni '1e touch MARK' src/a.ts
ask sed -i '$!N;s/\n/ /' src/a.ts
ask sed -i '/a/i foo' src/a.ts
ask sed -i '5,$ s/x/y/g' src/a.ts
ask sed -i '/x/{s/a/b/;d}' src/a.ts
ask sed -i 's/a/b/w f' src/a.ts
ask sed -i 'r /etc/passwd' src/a.ts
ask sed -i -f s src/a.ts
allow sed -i '/a/,/b/d' src/a.ts
ask sed -i 's#a#b#' src/*.ts
ask sed -i 's/[/]/x/e/' src/a.ts
ask sed -i '\cxcw f' src/a.ts
ask sed -i 'y/a/b/;W f' src/a.ts
ask sed -i 's/a/b/;1e' src/a.ts
ask sed -i '1!{e touch x␊}' src/a.ts
ask sed -i 'a\␊x␊e touch y' src/a.ts
ask sed -i -e s/a/b/ -e '1e x' src/a.ts
ask sed -i s/a/b/ src/a.ts -e '1e x'
ask sed -i 's/a/b/gw x' src/a.ts
ask sed -i 's/a/b/m;e' src/a.ts
== +Bash(sort -o *) +Bash(docker run -v *) +Bash(git -c color.ui=false *)
ask sort -o out --compress-program=./evil src/a.ts
allow sort -o y src/a.ts
ask docker run -v a:b --privileged img
allow docker run -v a:b img
ask git -c color.ui=false -c core.pager=./evil log -p
ask git -c color.ui=false -c core.pager=./evil push
allow git -c color.ui=false push
ask git -c color.ui=false log --output=y
ask git -c color.ui=false -c alias.y=!evil y
ask git -c color.ui=false y
ask git -c color.ui=false --exec-path=. push
== +Bash(bin/foo *) +Bash(./build.sh *)
ask "bin/foo x" y
allow bin/foo y
allow ./bin/foo y
ask cd src && bin/foo y
ask cd src && ./build.sh
ask cd src; ./build.sh
allow ./build.sh
ask cd /tmp && ./build.sh
ask src/build.sh
ask cd src && ../build.sh
ask ./src/../build.sh
== +Bash(src/build.sh *)
allow cd src && ./build.sh x
allow src/build.sh x
ask ./build.sh x
ask cd secrets && ./build.sh x
== +Bash(npm test *) +Bash(git add *) +Bash(tar *)
allow npm test src/*
allow npm test *
allow git add *
allow git add ./*
ask tar cf y.tar *
ask tar cf y.tar --to-command=x src/a.ts
ask npm test > ~/.bashrc
ask npm test; rm -rf x
ask npm test $(rm x)
ask npm test ⟨60⟩rm x⟨60⟩
ask FOO=1 npm test
ask PATH=. npm test
ask npm test <(rm x)
ask npm test -- $X
ask npm tester
ask npm test --script-shell=./evil
ask npm --script-shell=./evil test
ask npm test | tee src/out
`;
