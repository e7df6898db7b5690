/** Tried by hand against what runs unasked without a sandbox; `␊` is a line break. */

/** They ask: each would write, start something else, reach out, or show what lies outside or is protected, in some shell or version. */
export const asks = String.raw`
cd link/../x && cat f.txt
cd link/.. && ls
cd src && git show HEAD:secret/a
git -C src show HEAD:secret/a
git show HEAD:secret/a
ls -RL .
tree -l
du -L .
git show HEAD:./secret/a
cd src && cat prod.env
git -C src show HEAD:./secret/a
git grep DENIED HEAD:secret
git log -p -- :/secret
cd src && git log -p -- :/secret/a
cd src && git diff HEAD~1 -- ':(top)secret/a'
cp -r secret other
tar cf x.tar secret
tar cf - secret
mv secret other
cat "secret"/a
cat s*/a
cat se{c,}ret/a
cd secret; cat a
pushd secret; cat a
(cd secret; cat a)
cat < secret/a
cat <(cat secret/a)
while read l; do echo $l; done < secret/a
sh -c 'cat secret/a'
eval cat secret/a
find secret -type f -exec cat {} \;
find . -name a -exec cat {} +
ls secret | xargs -I{} cat secret/{}
echo secret/a | xargs cat
xargs cat <<< secret/a
node -e "console.log(require('fs').readFileSync('secret/a','utf8'))"
python3 -c "print(open('secret/a').read())"
python3 -c "print(open('sec'+'ret/a').read())"
grep -r DENIED .
rg DENIED
awk 1 secret/a
dd if=secret/a
. secret/a
bash secret/a
ln -s secret y && cat y/a
git diff --no-index /dev/null secret/a
git hash-object secret/a
git stash show -p
git archive HEAD secret
git cat-file -p HEAD:secret/a
git cat-file --batch
git show 83ac
diff -r secret src
vim -es secret/a
rg KEY src/prod.env
rg KEY -g '!*.md'
rg -uu KEY
rg -t env KEY
rg --pre cat KEY
rg --hostname-bin=x KEY
rg -z KEY
rg -f src/prod.env a
rg --type-add 'x:*.env' -t x KEY
git log --output=MARK
git log --outp=MARK
git log -p --ext-diff
git grep -Oless KEY
git grep --open-files-in-pager=touch KEY
git diff --no-index /etc/passwd src/a.ts
git diff /etc/passwd src/a.ts
git -c core.pager=touch log
git --exec-path=/tmp log
git --git-dir=../outer/.git log
git bundle create MARK HEAD
git show HEAD:.env
git show :0:src/prod.env
git cat-file -t HEAD:.env
git blame --contents /etc/passwd src/a.ts
git ls-files --with-tree=HEAD
git log -L1,2:src/a.ts
git show HEAD@{0}
git show 'HEAD@{0}'
git show ':/first'
git show 'HEAD^{/first}'
git log --format=%G?
git log '--format=%G?'
git log --pretty=foo
git archive HEAD
git reflog expire --all
git reflog delete HEAD@{0}
git branch -D x
git branch newname
git branch -v newname
git branch -r x
git tag x
git tag -l x
git tag --list x -d y
git tag -n x
git branch --show-current x
git branch --sort=x newb
git branch -a --no-color newb
git stash
git remote -v update
git remote update
git config --get x.y z
git worktree list add x
git diff --stat --output=x
git diff -O/etc/passwd
git show -s HEAD
git show --no-patch HEAD
git for-each-ref --shell --format='x'
git describe --dirty
sort -o MARK src/a.ts
sort --compress-program=touch src/a.ts
sort --output=MARK src/a.ts
sort --files0-from=src/a.ts
sort -S 1 src/a.ts
sort src/a.ts -o MARK
sort -T /tmp src/a.ts
sort --parallel 2 -uo MARK src/a.ts
uniq src/a.ts MARK
uniq -c src/a.ts MARK
uniq src/a.ts -c MARK
tee MARK
find . -fprintf MARK x
find . -fls MARK
find . -exec touch MARK ;
find . -delete
find . -name x -o -delete
find -files0-from x
find . -ok rm ;
find src -newer ../outer/secret.txt
find -L . -name x
find . -follow
find -H . -D exec
sed -n 'w MARK' src/a.ts
sed '1e touch MARK' src/a.ts
sed 's/a/touch MARK/e' src/a.ts
sed -n '1p;w MARK' src/a.ts
sed -i s/a/b/ src/a.ts
sed -n -f src/a.ts src/a.ts
sed -n '/a/w MARK' src/a.ts
sed -n 's/p/q/w MARK' src/a.ts
sed -n 'r ../outer/secret.txt' src/a.ts
sed '1!G;h;$!d' src/a.ts
awk '{print > "MARK"}' src/a.ts
awk 'BEGIN{system("touch MARK")}'
awk '{print $1}' '/inet/tcp/0/h/80'
awk -f src/a.ts
awk '{print $1 | "sh"}' src/a.ts
jq env
jq -n '$ENV'
jq -n '"\(env)"'
jq -n 'import "x" as x; 1'
jq -n 'getpath(["a"])' src/prod.env
jq . --rawfile a src/prod.env
jq -L . .
less src/a.ts
man ./x
man -P touch ls
man -l src/a.ts
date -f src/prod.env
date -s tomorrow
date -r src/prod.env
file -m x src/a.ts
file -f src/prod.env
file -C src/a.ts
file -z x.gz
diff --to-file=src/prod.env src/a.ts
diff -l src/a.ts src/a.ts
diff --from-file=x src/a.ts
diff src/a.ts src
wc --files0-from=src/prod.env
du --files0-from=x
du -X src/prod.env
tail --pid=1 src/a.ts
tree -o MARK
tree -R -L 1
tree --fromfile src/a.ts
xxd -r src/a.ts MARK
xxd src/a.ts MARK
xxd -p src/a.ts MARK
od -S2 src/a.ts
od -A x src/prod.env
paste src/prod.env
cut -d= -f2 src/prod.env
join src/a.ts src/prod.env
realpath x
readlink -f x
stat x
cat x/f.txt
cat x/../secret.txt
ls x
ls x/
ls ../outer
test -e ../outer/secret.txt
[ -f ../outer/secret.txt ]
python3 --version
python --version
docker ps --context=x
docker -H tcp://x ps
npm ls
npm --version
go list
cargo metadata
cargo --version
lsof -i @evil.com
lsof +D .
unzip -p src/a.zip
unzip -l a.zip -d MARK
tar -tf a.tar --to-command=x
tar xf a.tar
tar tf a.tar -I touch
tar tf host:a
tar tIf x a.tar
printf -v x y
printf %q x
printf '%n' x
printf '%d' 'a[$(touch MARK)]'
test 'a[$(touch MARK)]' -eq 1
[ -v 'a[$(touch MARK)]' ]
echo x > MARK
echo x >> src/a.ts
echo x >&2
ls 2> MARK
ls &> /dev/null
ls 3>/dev/null
=ls
ls *(e:'touch MARK':)
ls ~root
ls ~
echo $HOME
echo {a,b}
echo !!
command ls
env
printenv
history
hostname newname
ps auxe
ps axe
ps -E
ps e
ps -eo pid,environ
ps -o pid= -p 1
base64 -i src/prod.env
base64 src/prod.env
md5sum -c src/prod.env
md5sum src/prod.env
shasum -c x
column -t src/prod.env
fd -x touch MARK
fd -X touch MARK
fd a --exec touch MARK
xargs ls
timeout 5 ls
sh -c ls
bash -c ls
cd .. && ls
cd / && ls
cd - && ls
cd x && ls
rg --iglob '*.ENV' KEY src
rg -g '*.ts' --iglob '*.ENV' KEY src
rg -g '*.env' KEY src
grep -rn KEY src
`;

/** They run, and do nothing of that. */
export const runs = `
du -H .
git config --get user.email
git for-each-ref --sort=signature
git rev-parse HEAD:src
git shortlog -s HEAD
git branch --list newname
git branch --contains HEAD newb
git tag --contains HEAD newt
git stash list
git config --get --type=path user.email
git status --column=x
git log -C1 -p -- src/a.ts
git rev-list --all --objects
sed -n '$=' src/a.ts
awk '{print $1}' 'FS=:' src/a.ts
awk -F 'x' '{print $1}' src/a.ts
jq -n 'input_filename'
jq -n '$__prog_args'
date +%s
head -n 1 link/../../outer/secret.txt
unzip -l src/a.ts
unzip -l '*.zip'
tar tf a.tar
tar tzf a.tgz
ls -la --
ls -la -- -x
pwd
which ls
type ls
command -v ls
id
base64 -d src/a.ts
true && ls
cd src && pwd
cd link && ls
`;
