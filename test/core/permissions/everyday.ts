/** What models run to look around, as they write it: some 220 commands that only read. A person who is asked about one is asked in vain. */
export const everyday = String.raw`
ls
ls -la
ls -la src
ls -lah src/components
ls -R src | head -50
ls -1 src
ls *.md
ls src/*.ts
ls -la | grep config
ls -lt | head
ls -d */
ls node_modules | wc -l
ls -la .github/workflows
pwd
pwd && ls -la
cd src && ls
cd src && ls -la && cat a.ts
cd src && grep -rn "export" .
cd src && git status
cat package.json
cat src/a.ts
cat src/a.ts src/b.ts
cat src/a.ts | head -100
cat src/a.ts | grep -n "export"
cat README.md
cat tsconfig.json 2>/dev/null
cat src/*.ts
cat package.json | grep -A 10 '"scripts"'
cat package.json | jq '.scripts'
cat .gitignore
cat Dockerfile docker-compose.yml
head -50 src/a.ts
head -n 20 README.md
head -c 500 src/a.ts
tail -20 src/a.ts
tail -n 100 build.log
tail -n +10 src/a.ts
tail -50 build.log | grep -i error
sed -n '1,80p' src/a.ts
sed -n '120,180p' src/a.ts
sed -n 10,20p src/a.ts
sed -n '/export/,/^}/p' src/a.ts
sed -n '5p' src/a.ts
wc -l src/a.ts
wc -l src/*.ts
wc -l src/a.ts src/b.ts
grep -n "foo" src/a.ts
grep -rn "foo" src
grep -rn "foo" src/ --include="*.ts"
grep -rn "foo\|bar" src | head -20
grep -rn "TODO" src | wc -l
grep -rnE "foo|bar" src
grep -rl "import React" src
grep -r "useState" src --include="*.tsx" -l
grep -i "error" build.log
grep -c "test" src/a.ts
grep -A5 -B5 "function main" src/a.ts
grep -n "version" package.json
grep -rn "foo" src test
grep -rn 'class [A-Z]' src | sort
grep -rn "foo" . --include="*.ts" | grep -v node_modules
grep -rn "foo" --include="*.py" .
grep -v "^#" .gitignore
grep -E "^(import|export)" src/a.ts
grep -q "foo" src/a.ts && echo yes
grep -rn "deprecated" src 2>/dev/null | head -5
grep -oE "[a-z]+@[a-z.]+" README.md
rg foo
rg -n "foo" src
rg -n "foo" src -g '*.ts'
rg "foo|bar" src test
rg -l "import" src
rg --files | head -100
rg --files -g '*.ts'
rg -t ts "export default" src
rg -i todo src | head
rg -A 3 -B 3 "function" src/a.ts
find . -name "*.ts"
find . -name "*.ts" -not -path "*/node_modules/*"
find . -type f -name "*.test.ts" | head -20
find src -type f | sort
find src -name "*.ts" | wc -l
find . -maxdepth 2 -type d
find . -type f -size +1M
find src -name "*.ts" -newer package.json
find . -name package.json -not -path './node_modules/*'
find src -name '*.ts' -o -name '*.tsx'
find . -path ./node_modules -prune -o -name "*.js" -print
find src -mtime -1
find . -iname "*readme*"
tree -L 2
tree src
tree -L 3 -I 'node_modules|dist'
du -sh src
du -sh *
du -sh node_modules dist
du -ah src | sort -rh | head
df -h
file src/a.ts
stat package.json
diff src/a.ts src/b.ts
diff -u src/a.ts src/b.ts
sort src/a.ts | uniq -c | sort -rn | head
cut -d: -f1 src/a.ts
awk '{print $1}' src/a.ts
awk -F: '{print $2}' src/a.ts | sort | uniq
awk 'NR>=10 && NR<=20' src/a.ts
awk '/export/ {print $2}' src/a.ts
awk 'NR==5' src/a.ts
awk '{sum += $1} END {print sum}' src/a.ts
tr '[:upper:]' '[:lower:]' < README.md
basename src/a.ts
dirname src/a.ts
realpath src
md5sum src/a.ts
xxd src/a.ts | head
od -c src/a.ts | head -5
jq '.dependencies' package.json
jq -r '.version' package.json
jq '.scripts | keys' package.json
git status
git status --short
git status -sb
git status --porcelain
git diff
git diff --stat
git diff --cached
git diff --name-only
git diff HEAD
git diff HEAD~1
git diff main...HEAD
git diff main..HEAD --stat
git diff src/a.ts
git diff -- src/a.ts
git diff HEAD -- src
git log --oneline -10
git log --oneline -20
git log -5
git log -1
git log --oneline --graph --all -20
git log -p -1 src/a.ts
git log --oneline -- src/a.ts
git log --since="2 weeks ago" --oneline
git log --author="me" --oneline -5
git log --stat -3
git log main..HEAD --oneline
git log --format="%h %s" -10
git show HEAD
git show --stat HEAD
git show HEAD:src/a.ts
git show HEAD~1 --stat
git branch
git branch -a
git branch --show-current
git branch -vv
git remote -v
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git blame src/a.ts
git blame -L 10,20 src/a.ts
git ls-files
git ls-files | head -50
git ls-files '*.ts'
git ls-files src | wc -l
git stash list
git tag -l
git grep -n foo
git grep -n foo -- src
git describe --tags
git shortlog -sn
git merge-base main HEAD
git config --get user.name
git worktree list
git reflog -5
git --version
git --no-pager log --oneline -5
git --no-pager diff
git diff | head -200
git status && git diff --stat
node --version
node -v
python3 --version
which python3 pip
type node
command -v npm
npm ls --depth=0
echo "done"
echo hello && ls
date
uname -a
whoami
ps aux | grep node
ps aux
test -f package.json && echo yes
test -d src || echo no
[ -f package.json ] && echo "exists"
cat src/a.ts; echo "---"; cat src/b.ts
ls src && cat src/a.ts
cat src/a.ts || echo missing
grep -R foo src
rg -L foo src
tail -f build.log
tail -F build.log
yes | head
diff -rq src secrets
wc -l < src/a.ts
tr -d x < src/a.ts
sort < src/a.ts | uniq -c
awk 'END {print NR}' src/a.ts
awk 'length > 80' src/a.ts
awk -F: '{sum += $2} END {print sum}' src/a.ts
git config user.email
ps aux --sort=-%mem
strings src/a.ts
gzip -l a.tar.gz
lscpu
locale
`
  .trim()
  .split("\n");
