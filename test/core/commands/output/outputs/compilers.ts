/** Outputs of compilers, linters and build tools. */
import { amid, file, folder, hex, lines, noun, type Output, pascal, symbol, text, title, upper } from "./kit";

const tsc = (): Output => ({
  name: "tsc",
  stdout: text(
    amid(
      amid(
        lines(118, n => `${file(n, "ts")}(${n * 3},${(n % 40) + 5}): error TS2304: Cannot find name '${symbol(n)}'.`),
        0.6,
        "src/billing/tax.ts(88,31): error TS1005: ';' expected.",
      ),
      0.3,
      "src/orders/place.ts(17,9): error TS2345: Argument of type '{ id: string; }' is not assignable to parameter of type 'Order'.",
      "  Property 'customer' is missing in type '{ id: string; }' but required in type 'Order'.",
    ),
  ),
  matters: [
    "error TS1005: ';' expected",
    "Argument of type '{ id: string; }' is not assignable to parameter of type 'Order'",
    "Property 'customer' is missing",
  ],
});

const eslintFile = (n: number) => [
  `/home/dev/shop/${file(n, "tsx")}`,
  ...lines(3, m => `  ${String(n * m).padStart(3)}:${m + 4}   warning  Unexpected console statement  no-console`),
  `  ${n + 70}:11  warning  '${symbol(n)}' is assigned a value but never used  @typescript-eslint/no-unused-vars`,
  "",
];

const eslint = (): Output => ({
  name: "eslint",
  stdout: text(
    "",
    lines(34, eslintFile).flat(),
    "/home/dev/shop/src/checkout/PaymentForm.tsx",
    "   12:5   warning  Unexpected console statement  no-console",
    "   57:18  error    'taxRate' is not defined  no-undef",
    "",
    lines(26, n => eslintFile(n + 34)).flat(),
    "✖ 242 problems (1 error, 241 warnings)",
    "",
  ),
  matters: ["/home/dev/shop/src/checkout/PaymentForm.tsx", "'taxRate' is not defined", "242 problems (1 error"],
});

const cargoWarning = (n: number) => [
  `warning: unused variable: \`${noun(n)}_${noun(n + 3)}\``,
  `  --> ${file(n, "rs")}:${n * 4}:13`,
  "   |",
  `${n * 4} |         let ${noun(n)}_${noun(n + 3)} = ${noun(n + 1)}.take();`,
  `   |             ^^^^^^^^^^^^ help: if this is intentional, prefix it with an underscore: \`_${noun(n)}_${noun(n + 3)}\``,
  "",
];

const cargoBuild = (): Output => ({
  name: "cargo build",
  stderr: text(
    lines(70, n => `   Compiling ${noun(n)}-${folder(n)} v0.${n}.${n % 7}`),
    lines(80, cargoWarning).flat(),
    "error[E0502]: cannot borrow `cart` as mutable because it is also borrowed as immutable",
    "   --> src/billing/checkout.rs:118:9",
    "    |",
    "117 |     let first = &cart.items[0];",
    "    |                  ---------- immutable borrow occurs here",
    "118 |         cart.push(refund);",
    "    |         ^^^^^^^^^^^^^^^^^ mutable borrow occurs here",
    "",
    lines(60, n => cargoWarning(n + 80)).flat(),
    "warning: `shop` (lib) generated 140 warnings",
    "error: could not compile `shop` (lib) due to 1 previous error; 140 warnings emitted",
  ),
  matters: ["cannot borrow `cart` as mutable", "src/billing/checkout.rs:118:9"],
});

const make = (): Output => ({
  name: "make and cmake",
  stdout: text(
    lines(
      420,
      n =>
        `[${String(Math.floor(n / 6)).padStart(3)}%] Building C object src/CMakeFiles/net.dir/${folder(n)}/${noun(n)}_${n}.c.o`,
    ),
    "/home/dev/net/src/http/conn.c: In function 'conn_close':",
    "/home/dev/net/src/http/conn.c:210:15: error: 'struct conn' has no member named 'fdx'; did you mean 'fd'?",
    "  210 |     close(conn->fdx);",
    "      |               ^~~",
    "gmake[2]: *** [src/CMakeFiles/net.dir/build.make:342: src/CMakeFiles/net.dir/http/conn.c.o] Error 1",
    lines(60, n => `[ 71%] Building C object src/CMakeFiles/net.dir/${folder(n)}/late_${n}.c.o`),
    "/usr/bin/ld: CMakeFiles/cli.dir/main.c.o: in function `main':",
    "main.c:(.text+0x2f): undefined reference to `json_free'",
    "collect2: error: ld returned 1 exit status",
    "gmake[1]: *** [CMakeFiles/Makefile2:118: src/CMakeFiles/net.dir/all] Error 2",
    "gmake: *** [Makefile:136: all] Error 2",
  ),
  matters: ["'struct conn' has no member named 'fdx'", "undefined reference to `json_free'", "conn.c:210:15"],
});

const dotnet = (): Output => ({
  name: "dotnet build",
  stdout: text(
    "  Determining projects to restore...",
    "  All projects are up-to-date for restore.",
    amid(
      lines(
        150,
        n =>
          `/src/Shop/${upper(folder(n))}/${pascal(n)}.cs(${n + 8},${(n % 9) + 19}): warning CS8618: Non-nullable property '${pascal(n + 2)}' must contain a non-null value when exiting constructor. Consider declaring the property as nullable. [/src/Shop/Shop.csproj]`,
      ),
      0.7,
      "/src/Shop/Billing/Tax.cs(41,17): error CS0103: The name 'taxRate' does not exist in the current context [/src/Shop/Shop.csproj]",
    ),
    "",
    "Build FAILED.",
    "",
    lines(
      150,
      n =>
        `/src/Shop/${upper(folder(n))}/${pascal(n)}.cs(${n + 8},${(n % 9) + 19}): warning CS8618: Non-nullable property '${pascal(n + 2)}' must contain a non-null value when exiting constructor. Consider declaring the property as nullable. [/src/Shop/Shop.csproj]`,
    ),
    "/src/Shop/Billing/Tax.cs(41,17): error CS0103: The name 'taxRate' does not exist in the current context [/src/Shop/Shop.csproj]",
    "    150 Warning(s)",
    "    1 Error(s)",
    "",
    "Time Elapsed 00:00:14.31",
  ),
  matters: ["/src/Shop/Billing/Tax.cs(41,17)", "The name 'taxRate' does not exist"],
});

const gradle = (): Output => ({
  name: "gradle",
  stdout: text(
    lines(160, n => `> Task :${folder(n)}:${["compileJava", "processResources", "classes", "jar"][n % 4]} UP-TO-DATE`),
    "> Task :billing:compileKotlin FAILED",
    lines(
      90,
      n =>
        `w: file:///home/dev/shop/billing/src/main/kotlin/com/acme/${pascal(n)}.kt:${n + 3}:9 Parameter '${symbol(n)}' is never used`,
    ),
    "e: file:///home/dev/shop/billing/src/main/kotlin/com/acme/Invoice.kt:42:17 Unresolved reference: taxRate",
    lines(
      90,
      n =>
        `w: file:///home/dev/shop/billing/src/main/kotlin/com/acme/${pascal(n + 90)}.kt:${n + 3}:9 Parameter '${symbol(n)}' is never used`,
    ),
    "",
    "FAILURE: Build failed with an exception.",
    "",
    "* What went wrong:",
    "Execution failed for task ':billing:compileKotlin'.",
    "> A failure occurred while executing org.jetbrains.kotlin.compilerRunner.GradleCompilerRunnerWithWorkers$GradleKotlinCompilerWorkAction",
    "   > Compilation error. See log for more details",
    "",
    "* Try:",
    "> Run with --stacktrace option to get the stack trace.",
    "> Run with --info or --debug option to get more log output.",
    "> Run with --scan to get full insights.",
    "> Get more help at https://help.gradle.org.",
    "",
    "BUILD FAILED in 41s",
    "23 actionable tasks: 3 executed, 20 up-to-date",
  ),
  matters: ["Task :billing:compileKotlin FAILED", "Invoice.kt:42:17", "Unresolved reference: taxRate"],
});

const mypy = (): Output => ({
  name: "mypy",
  stdout: text(
    amid(
      lines(
        210,
        n =>
          `${file(n, "py", "app")}:${n * 2}: error: Incompatible types in assignment (expression has type "${pascal(n)}", variable has type "${["int", "str", "float"][n % 3]}")  [assignment]`,
      ),
      0.45,
      'app/billing/tax.py:41: error: Item "None" of "Rate | None" has no attribute "percent"  [union-attr]',
      'app/billing/tax.py:58: note: Revealed type is "builtins.int"',
    ),
    lines(140, n => `${file(n, "py", "tests")}:${n}: error: Function is missing a type annotation  [no-untyped-def]`),
    "Found 351 errors in 61 files (checked 300 source files)",
  ),
  matters: [
    'Item "None" of "Rate | None" has no attribute "percent"',
    "app/billing/tax.py:41",
    "Found 351 errors in 61 files",
  ],
});

const ruff = (): Output => ({
  name: "ruff",
  stdout: text(
    amid(
      lines(390, n => `${file(n, "py", "app")}:${n}:${89 + (n % 30)}: E501 Line too long (${92 + (n % 40)} > 88)`),
      0.55,
      "app/billing/tax.py:17:12: F821 Undefined name `tax_rate`",
    ),
    "Found 391 errors.",
    "[*] 12 fixable with the `--fix` option.",
  ),
  matters: ["app/billing/tax.py:17:12", "Undefined name `tax_rate`"],
});

const swift = (): Output => ({
  name: "swift build",
  stdout: text(
    lines(310, n => `[${n}/640] Compiling Shop ${pascal(n)}.swift`),
    "/Users/dev/Shop/Sources/Shop/Invoice.swift:42:24: error: cannot convert value of type 'String' to expected argument type 'Int'",
    "40 |     func total() -> Int {",
    "41 |         let rate = settings.rate",
    "42 |         return sum(rate)",
    "   |                    `- error: cannot convert value of type 'String' to expected argument type 'Int'",
    lines(
      120,
      n =>
        `/Users/dev/Shop/Sources/Shop/${pascal(n)}.swift:${n}:13: warning: variable '${symbol(n)}' was never mutated; consider changing to 'let' constant`,
    ),
    lines(90, n => `[${n + 310}/640] Compiling Shop ${pascal(n + 310)}.swift`),
    "error: emit-module command failed with exit code 1 (use -v to see invocation)",
    lines(25, n => `[${n + 400}/640] Emitting module ${pascal(n)}`),
  ),
  matters: [
    "Invoice.swift:42:24",
    "cannot convert value of type 'String'",
    "emit-module command failed with exit code 1",
  ],
});

const androidLint = (): Output => ({
  name: "Android lint",
  stdout: text(
    lines(
      90,
      n =>
        `/home/dev/app/src/main/res/layout/${noun(n)}_${folder(n)}.xml:${n}: Warning: Hardcoded string "${title(n)}", should use @string resource [HardcodedText]\n        android:text="${title(n)}"\n        ~~~~~~~~~~~~~~~~~~~~~~~~`,
    ),
    "/home/dev/app/src/main/AndroidManifest.xml:23: Error: Class referenced in the manifest, com.acme.shop.PayActivity, was not found in the project or the libraries [MissingClass]",
    '        android:name="com.acme.shop.PayActivity"',
    "        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~",
    lines(
      70,
      n =>
        `/home/dev/app/src/main/java/com/acme/${pascal(n)}.java:${n}: Warning: Do not concatenate text displayed with setText [SetTextI18n]\n        view.setText(${symbol(n)});\n        ~~~~~~~~~~~~~~~~~~~~~~~~`,
    ),
    "1 errors, 160 warnings",
  ),
  matters: ["com.acme.shop.PayActivity, was not found", "AndroidManifest.xml:23", "1 errors, 160 warnings"],
});

const bundlers = (): Output => ({
  name: "vite and webpack",
  stdout: text(
    "vite v6.0.3 building for production...",
    "✓ 1204 modules transformed.",
    lines(
      230,
      n =>
        `dist/assets/${symbol(n)}-${hex(n, 8)}.js${" ".repeat(12)}${(n * 1.7).toFixed(2)} kB │ gzip: ${(n * 0.6).toFixed(2)} kB`,
    ),
    "✓ built in 9.41s",
    lines(
      260,
      n =>
        `  asset ${symbol(n)}.${hex(n, 8)}.chunk.js ${n * 3} KiB [emitted] [immutable] [minimized] (id hint: ${folder(n)})`,
    ),
    "ERROR in ./src/checkout/PaymentForm.tsx 4:0-41",
    "Module not found: Error: Can't resolve '@acme/tax' in '/home/dev/shop/src/checkout'",
    " @ ./src/checkout/index.ts 3:0-32",
    "",
    lines(120, n => `  modules by path ./src/${folder(n)}/${noun(n)}/ ${n * 2} KiB ${n} modules`),
    "webpack 5.97.1 compiled with 1 error in 18422 ms",
  ),
  matters: ["./src/checkout/PaymentForm.tsx", "Can't resolve '@acme/tax'", "compiled with 1 error"],
});

export const compilers = (): Output[] => [
  tsc(),
  eslint(),
  cargoBuild(),
  make(),
  dotnet(),
  gradle(),
  mypy(),
  ruff(),
  swift(),
  androidLint(),
  bundlers(),
];
