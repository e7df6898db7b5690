/** Command lines by hand that are not certain for what they start. */

/** They may do more than read, to some program of that name. */
export const doings = `
LS
/bin/ls
./ls
ls/
env
printenv
env ls
xargs ls
sh -c ls
bash a
sudo ls
timeout 5 ls
less a
npm ls
npm --version
npx --version
yarn --version
cargo --version
go version
mvn --version
ls -T
ls -w
ls --colo=auto
ls --color auto -Q --zzz
cat --nu a
cat -f
head --lines
head -n
head -n -v a
tail --follow a
sort -o a b
sort -ro a b
sort a -o b
sort --output=a b
sort -T a b
sort --compress-program=x a
sort --files0-from=a
wc --files0-from=a
uniq a b
uniq a -c
uniq -c a b
xxd a b
xxd -r a
xxd -pr a
xxd -pc 16 a b
xxd a -c
xxd -c16 a b
tree -o a
tree -R -L 1
find . -delete
find . -exec ls
find . -fprint a
find . -files0-from a
find -f a
find '(x' -delete
find . -name
sed -i p a
sed -n p a -e p
sed 'w a' -e p
sed -n 'w a' b
sed -n '1w a' b
sed 's/a/b/w c' a
sed 's/a/b/e' a
sed 's/[/]/p;w x' a
sed 's/a/b/;e' a
sed -f a b
sed '1e ls' a
sed '1r a' b
sed
awk
awk '{print > "a"}' b
awk '{print $1 | "sh"}' b
awk '{system("ls")}' b
awk '{"ls"|getline}' b
awk 'BEGIN{print ENVIRON["x"]}'
awk -f a b
awk -v x=1 '{print}' b
awk '{print}' a -f b
printf -v x a
printf '%d' 'a[0]'
printf '%n' PATH
printf '%*s' 1 a
printf '%(x)T' a
printf
test -v a
test a -eq b
test 'a[0]' -eq 1
test -t x
test a
test '!' -f a
tar -xf a
tar -cf a b
tar -tf host:a
tar -tf a --to-command=x
tar tf
tar -tzfI a
ps auxe
ps e
ps -aux -e
ps -auxe
ps -u eve
ps -o environ
ps aux e
date 01010000
date -s x
date --set=x
hostname x
man ./a
man a/b
man -P x ls
jq env a
jq '$ENV.x' a
jq 'import "a" as a; 1' b
jq -f a b
rg --pre x a
rg -z a
rg -f
rg --hostname-bin x a
fd -x ls
fd -X ls
fd -e -x ls
grep -d recurse a b
grep --context 5 a b
diff -l a b
file -C
file -m a b
docker run x
docker ps --config x
docker logs -f x
docker exec x ls
lsof +D .
lsof -i@a.b
lsof -iTCP@a.b:1
lsof -i '@a.b'
lsof -Di
command -p ls
which --x
node a
node --check a -e
node -e 1
unzip a
unzip -l a -d b
git
git push
git -c a=b log
git -C
git -C -x log
git -C a -C b log
git --git-dir=x log
git --exec-path=x log
git log --output=x
git log --ext-diff
git log --textconv
git log -O x
git log -L 1,5:a
git log -pn 5
git log --format=mine
git log --pretty=mine
git log --format='%G?'
git log --format='%-GK'
git log --show-signature
git log --stdin
git for-each-ref --format='%(signature)'
git diff --no-index a b
git diff --output x
git diff --submodule=diff
git grep -O foo
git grep --open-files-in-pager foo
git cat-file -p HEAD:.env
git cat-file --filters HEAD:a
git cat-file --textconv HEAD:a
git branch x
git branch -d x
git branch -l x
git branch -v x
git tag x
git tag -n x
git tag -d x
git remote show origin
git remote add a b
git reflog expire
git config user.name x
git config list
git config user.signingkey
git config --get a b
git config --list
git ls-files -X a
git ls-remote
git stash
git stash pop
git blame -S a b
git help log
git show a:b:c:d:e
git describe --dirty
git blame --contents a b
git rev-parse --parseopt
git worktree add a
git status -v
cd a
cd
cd -
cd - && ls
cd -P a && ls
cd +1 && ls
cd '' && ls
cd a b && ls
cd a; ls
cd a || ls
cd a | ls
cd a && ls; cat b
cd a && ls || cat b
cd a && git status; git log
cd a && cd b && ls
ls && cd a
awk '{system += $1}' a
awk '{x = getline}' a
awk '{print x > "b"}' a
awk '{print sum | "sh"}' a
awk '{sum += $1; system("x")}' a
awk '{close(x)}' a
awk '{print length("x" | getline)}' a
gzip -l -d a
gzip a
zcat --suffix=x a
`;
