/** 200 commands as an agent types them every day, of six ecosystems: reading, building, testing. */
export const everyday: Record<string, string> = {
  "JavaScript and TypeScript": `
cat package.json
cat package.json | jq .scripts
jq '.dependencies | keys' package.json
jq -r .version package.json
node --version
npm --version
node -v && npm -v
npm ls --depth=0
npm ls react
npm test
npm run build
npm run lint
npx tsc --noEmit
npx vitest run src/a.test.ts
npm test -- --grep "parses dates"
ls -la node_modules/.bin | head -20
grep -rn "useState" src --include=*.tsx
grep -rn "TODO" src | head -30
rg -n "export function" src -g '*.ts'
rg "import .* from 'react'" -l
find src -name "*.test.ts" | head -50
find . -name "*.ts" -not -path "./node_modules/*" | xargs wc -l
find . -path ./node_modules -prune -o -name '*.js' -print
sed -n '1,80p' src/index.ts
sed -n 100,160p src/a.ts
head -100 src/a.ts
tail -50 src/a.ts
wc -l src/*.ts
cat src/a.ts src/b.ts
node --check src/a.js
node src/index.js
npm run
ls src/components && cat src/components/App.tsx
cat tsconfig.json 2>/dev/null || echo "none"`,
  Python: `
python3 --version
python --version
which python3
python3 -m pytest
pytest tests/test_a.py -x -q
pytest -k "dates" 2>&1 | tail -20
python3 -c "print(1)"
python3 main.py
ls *.py
find . -name "*.py" -type f | head -20
grep -rn "def main" --include="*.py" .
grep -n "import" app/main.py
rg -n "class \\w+" app
cat requirements.txt
cat pyproject.toml | head -40
head -5 data.csv
wc -l data.csv
cut -d, -f1 data.csv | sort | uniq -c | sort -rn | head
awk -F, '{print $2}' data.csv | sort -u
awk -F, 'NR>1 && $3 > 5 {print $1}' data.csv
ruff check .
mypy app
pip list
pip show requests
ls -la .venv/bin | head
sed -n '10,40p' app/main.py
tree -L 2 -I __pycache__
find . -name __pycache__ -type d
ls tests/ && wc -l tests/*.py
diff app/a.py app/b.py
tail -n 100 app.log | grep -i error
python3 -m json.tool config.json
jq . config.json`,
  Rust: `
cargo build
cargo test
cargo check 2>&1 | head -50
cargo clippy
cargo fmt --check
cargo --version
rustc --version
cat Cargo.toml
cat Cargo.lock | grep -A2 'name = "serde"'
grep -rn "unwrap()" src --include='*.rs' | wc -l
rg -n "fn main" src
rg "impl .* for" -t rust
rg -t rust "unsafe" --stats
find src -name '*.rs' | xargs wc -l | sort -n
find . -name Cargo.toml -not -path '*/target/*'
sed -n '1,60p' src/main.rs
head -n 40 src/lib.rs
ls target/debug 2>/dev/null
ls -R src
tree src
wc -l src/**/*.rs
cat src/main.rs | grep -n "mod "
grep -n "pub fn" src/lib.rs | cut -d'(' -f1
file target/debug/app
du -sh target
ls crates/*/src
git diff --stat -- src
cargo tree
stat Cargo.lock
basename $(pwd)`,
  Go: `
go version
go env GOPATH
go env GOOS GOARCH
go build ./...
go test ./...
go test -run TestParse ./internal/parser -v
go vet ./...
gofmt -l .
go list ./...
cat go.mod
grep -rn "func Test" --include="*_test.go" . | wc -l
grep -rn "TODO\\|FIXME" --include=*.go .
rg -n "type \\w+ interface" --type go
rg -n "errors.New" -g '!vendor'
find . -name '*.go' | wc -l
find . -type f -name "*_test.go" | sort
sed -n '20,90p' internal/parser/parser.go
head -30 main.go
ls cmd internal pkg 2>/dev/null
ls -la cmd/*
cat main.go | head -50 | tail -20
wc -l *.go
which go gofmt
git log --oneline -5 -- go.mod
nl -ba main.go | sed -n '10,30p'
cat internal/parser/parser.go | grep -n func
awk '/^func/ {print FILENAME": "$0}' main.go
diff -u main.go main.go.orig
tree -d -L 3
echo $GOPATH`,
  Java: `
java -version
javac -version
ls src/main/java
find . -name "*.java" | head
find src/test -name '*Test.java' | wc -l
grep -rn "@Autowired" src/main --include=*.java
grep -rln "extends BaseService" src
rg -n "public class" src/main -g '*.java'
cat pom.xml
cat build.gradle
grep -A3 "<dependency>" pom.xml | head -40
sed -n '1,50p' src/main/java/App.java
cat src/main/resources/application.yml
mvn test
mvn -q compile
./gradlew test
./gradlew build --info 2>&1 | tail -40
ls build/libs target 2>/dev/null
unzip -l target/app.jar | head -30
wc -l src/main/java/*.java
tail -100 build/reports/tests.log
grep -c "ERROR" build/app.log
head -200 build/app.log | grep -n Exception
tree src -L 4
cat src/test/java/AppTest.java
diff src/main/java/A.java src/main/java/B.java
git blame -L 10,20 src/main/java/App.java
ls -lt build | head -5
stat pom.xml`,
  "C, shell and git": `
git status
git status --short
git status -sb
git diff
git diff --cached
git diff HEAD~1 --stat
git diff main...HEAD --name-only
git log --oneline -10
git log --oneline --graph --all | head -20
git log -p -1 src/a.c
git log --since="2 weeks ago" --author=me --format="%h %s"
git show HEAD
git show HEAD~1 --stat
git show HEAD:src/a.c
git branch -a
git branch --show-current
git rev-parse HEAD
git remote -v
git stash list
git blame src/a.c
git ls-files | head -50
git grep -n "main("
git --no-pager log -3
git tag --list
git add -A && git commit -m "Fix it"
make
make test
gcc -Wall -o a a.c && ./a
gcc --version
cmake --build build
ls -la
pwd && ls
cd src && ls -la
cat Makefile
cat README.md | head -30
grep -n "include" src/*.c
nm -C build/a.o | head
readelf -h build/a
ps aux | grep server
df -h
du -sh * | sort -h
env | grep PATH
echo "done"
command -v clang
uname -a`,
};
