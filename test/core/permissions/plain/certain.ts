/** Command lines by hand that are certain. */

/** A command, then its files: `t` all below, `c` content, `n` names; `>` follows links, `.` passes over hidden files, `*.x` only such ones; `^` from the top of the repository. */
export const certain = String.raw`
ls
 = n .
ls -la src
 = n src
ls -la --color=auto src lib
 = n src lib
ls src -la
 = n src -la
cat a.txt 'b c.txt' "d's.txt"
 = c a.txt|b c.txt|d's.txt
cat -n -- -x
 = c -x
cat -
 =
cat Grüße.md
 = c Grüße.md
head -5 a
 = c a
head -n 5 a
 = c a
tail -n5 a b
 = c a b
tail -n +5 a | head -n 2 | wc -l
 = c a
wc -l src/a.ts
 = n src/a.ts
grep foo
 =
grep -n foo a.txt
 = c a.txt
grep -e foo -f patterns a.txt
 = c patterns a.txt
grep -rn 'foo bar' src
 = t src
grep -rn foo
 = t .
grep -C 3 foo a.txt
 = c foo a.txt
grep -R foo src
 = t> src
grep -rn foo src --include='*.ts'
 = t*.ts src --include=*.ts
grep -rn --include='*.ts' --include='*.tsx' foo .
 = t*.ts*.tsx .
grep -rn --exclude=x --include='*.ts' foo .
 = t .
grep -c '^a$' a
 = c a
rg foo
 = t. .
rg -n foo src
 = t. src
rg -L foo src
 = t>. src
rg --hidden foo
 = t .
rg -uu foo
 = t .
rg foo -g '*.ts'
 = t*.ts .
rg -g '!dist' foo
 = t. .
rg -g '.env' foo
 = t .
rg --files src
 = n. src
cat a | rg foo
 = c a
cat a | rg foo </dev/null
 = c a / t. .
diff a b
 = t> a b
diff -ru a b
 = t> a b
find . -name '*.ts' -not -path './node_modules/*'
 = n .
find -L src -type f
 = n> src
find src '(' -name a -o -name b ')' -print
 = n src
find
 = n .
sed -n 10,20p a
 = c a
sed -n '/foo/,/b\/ar/p;$p' a
 = c a
sed -e 's/a b/c/g' -e 1d a b
 = c a b
cat a | sed 's/^ *//'
 = c a
awk '{print $1, $NF}' a
 = c a
awk -F, '{ print $2 }' a
 = c a
awk -F':' 'NR>=10 && NR<=20' a
 = c a
awk '/foo/ {print $1" "$2}' a
 = c a
sort -t',' -k2 -u a | uniq -c | sort -rn
 = c a
cut -d',' -f1 a
 = c a
cut -d ' ' -f 1,2 a
 = c a
jq -r '.scripts | keys[]' package.json
 = c package.json
xxd -l 16 a
 = c a
tar -tzf a.tgz
 = n a.tgz
unzip -l a.zip
 = n a.zip
fd -e ts foo src
 = n src
fd foo
 = n .
stat -c '%s %n' a
 = n a
du -sh src
 = n src
du -sh
 = n .
tree -L 2
 = n .
date +%s
 =
date '+%Y-%m-%d %H:%M'
 =
cat 2 >/dev/null
 = c 2
pwd
 =
echo "a b" c
 =
printf '%s\n' a b
 =
test -f a && echo yes || echo no
 = n a
[ -f a ] && cat a || echo "no"
 = n a / c a
[ a = b ]
 =
test 1 -lt 2
 =
ps aux | grep node
 =
ps -ef
 =
ps -o pid,args -p 1
 =
command -v node
 =
which -a node
 =
node --version
 =
python3 -V
 =
ls --help
 =
man 7 signal
 =
lsof -nP -iTCP:3000 -sTCP:LISTEN
 =
lsof -i :3000
 = n :3000
docker ps -a --format '{{.Names}}'
 =
docker logs --tail 50 web
 =
docker inspect web
 =
git status
 =
git status -sb
 =
git --no-pager log --oneline -5
 =
git log -n5 --format='%h %s' -- src
 = n src
git log -p src/a.ts
 = t . src/a.ts ^.
git log HEAD~3..HEAD~1
 = n HEAD~3..HEAD~1
git diff
 = t . ^.
git diff main -- src/a.ts
 = t main src/a.ts
git diff main -- ':(top).env'
 = t . main|:(top).env|.env ^. ^.env
git show HEAD:src/a.ts
 = t . HEAD:src/a.ts src/a.ts ^. ^src/a.ts
git -C sub show HEAD:.env
 = n sub / t sub/. sub/HEAD:.env sub/.env sub^. sub^.env
git ls-files
 =
git ls-files src -z
 = n src
git diff HEAD^ -- a
 = t HEAD^ a
git log --pretty=format:"%h %s"
 =
grep -rn "foo\.bar(" src
 = t src
find src \( -name a -o -name b \) -a \! -empty
 = n src
sed p a
 = c a
git blame -L 1,5 src/a.ts
 = c src/a.ts
git grep -n foo
 = t .
git branch -a
 =
git branch --contains main
 = n main
git branch --show-current
 =
git tag -l 'v1*'
 = n v1*
git rev-parse --abbrev-ref HEAD
 = n HEAD
git stash list
 =
git remote -v
 =
git config --get user.name
 = n user.name
git shortlog -sn
 =
ls 2>/dev/null
 = n .
ls > /dev/null 2>&1
 = n .
ls 2>&1|cat
 = n .
cat a;cat b&&cat c||cat d
 = c a b c d
 cat a
 = c a
cd src && ls | head
 = @src n .
cd 'a b' && cat c && cat d; echo done
 = @a b c c d
wc -l < ls
 = c ls
tr -d x <'a b' | sort
 = c a b
tail -f a.log
 = c a.log
yes | head
 =
git config user.name
 = n user.name
ps aux --sort=-%mem
 =
awk '{sum += $1} END {print sum}' a
 = c a
awk 'END {print NR}' a
 = c a
awk 'length > 80' a
 = c a
strings -n 8 a
 = c a
gzip -l a.gz
 = n a.gz
`;
