/** Outputs of programs that no rule was written for: they show whether the rules are more than a list. */
import { amid, clock, file, folder, lines, noun, type Output, pascal, stamp, symbol, text, title, upper } from "./kit";

const infoLog = (count: number, from = 0) =>
  lines(count, n => `${stamp(n + from)} INFO  [${folder(n)}] ${upper(noun(n))} ${4000 + n} ${title(n)}`);

const among = (
  name: string,
  list: readonly string[],
  middle: readonly string[],
  matters: readonly string[],
): Output => ({
  name,
  stdout: text(amid(list, 0.5, ...middle)),
  matters,
});

const tests = (): Output[] => [
  among(
    "dotnet test",
    lines(400, n => `  Passed Shop.Tests.${pascal(n)}Tests.${pascal(n + 2)} [${n % 40} ms]`),
    [
      "  Failed Shop.Tests.InvoiceTests.RoundsToTheCent [12 ms]",
      "  Error Message:",
      "   Assert.Equal() Failure: Values differ",
      "Expected: 2.5",
      "Actual:   2.4",
      "  Stack Trace:",
      "     at Shop.Tests.InvoiceTests.RoundsToTheCent() in /src/Shop.Tests/InvoiceTests.cs:line 42",
    ],
    ["Shop.Tests.InvoiceTests.RoundsToTheCent", "Actual:   2.4", "InvoiceTests.cs:line 42"],
  ),
  among(
    "playwright",
    lines(300, n => `  ✓  ${n} [chromium] › ${folder(n)}.spec.ts:${n}:1 › ${title(n)} (${n}ms)`),
    [
      "  1) [chromium] › checkout.spec.ts:14:1 › pays with a card",
      "",
      "    TimeoutError: locator.click: Timeout 30000ms exceeded.",
      "    Call log:",
      "      - waiting for getByRole('button', { name: 'Pay now' })",
      "",
      "      12 |   await page.goto('/checkout');",
      "    > 14 |   await page.getByRole('button', { name: 'Pay now' }).click();",
    ],
    ["checkout.spec.ts:14:1 › pays with a card", "locator.click: Timeout 30000ms exceeded", "name: 'Pay now'"],
  ),
  among(
    "flutter test",
    lines(400, n => `00:${10 + (n % 50)} +${n}: /home/dev/app/test/${folder(n)}_test.dart: ${title(n)}`),
    [
      "00:31 +200 -1: /home/dev/app/test/cart_test.dart: applies the discount once [E]",
      "  Expected: <90>",
      "    Actual: <80>",
    ],
    ["applies the discount once [E]", "Actual: <80>"],
  ),
  among(
    "bazel",
    lines(400, n => `//${folder(n)}/${noun(n)}:${symbol(n)}_test${" ".repeat(20)}(cached) PASSED in ${n % 9}.1s`),
    [
      "//billing:invoice_test                              FAILED in 2.3s",
      "  /home/dev/.cache/bazel/testlogs/billing/invoice_test/test.log",
    ],
    ["//billing:invoice_test", "testlogs/billing/invoice_test/test.log"],
  ),
  among(
    "mix test",
    lines(300, n => `  * test ${title(n)} (${n % 30}.0ms) [L#${n}]`),
    [
      "  1) test rounds to the cent (Shop.InvoiceTest)",
      "     test/shop/invoice_test.exs:42",
      "     ** (ArithmeticError) bad argument in arithmetic expression",
    ],
    ["rounds to the cent (Shop.InvoiceTest)", "test/shop/invoice_test.exs:42", "(ArithmeticError) bad argument"],
  ),
];

const tools = (): Output[] => [
  among(
    "phpstan",
    lines(120, n => [
      " ------ ------------------------",
      `  Line   ${file(n, "php")}`,
      " ------ ------------------------",
      `  ${n}     Parameter #1 of ${symbol(n)} expects string, int given.`,
      "",
    ]).flat(),
    [
      " ------ ------------------------",
      "  Line   src/Billing/Tax.php",
      " ------ ------------------------",
      "  88     Call to an undefined method Acme\\Tax::percent().",
      "",
    ],
    ["src/Billing/Tax.php", "undefined method Acme\\Tax::percent()"],
  ),
  among(
    "mvn",
    lines(
      500,
      n =>
        `[INFO] Downloaded from central: https://repo.maven.apache.org/maven2/com/${folder(n)}/${noun(n)}/${n}.0/${noun(n)}-${n}.0.jar (${n} kB at ${n}0 kB/s)`,
    ),
    [
      "[ERROR]   InvoiceTest.totals:42 expected: <120> but was: <119>",
      "[ERROR] Tests run: 412, Failures: 1, Errors: 0, Skipped: 3",
    ],
    ["InvoiceTest.totals:42 expected: <120> but was: <119>", "Tests run: 412, Failures: 1"],
  ),
  among(
    "pip",
    lines(
      300,
      n =>
        `Requirement already satisfied: ${noun(n)}-${folder(n)}>=${n % 9} in /usr/lib/python3/dist-packages (from shop==1.${n}) (${n}.0)`,
    ),
    [
      "The conflict is caused by:",
      "    acme-tax 2.1 depends on decimalx<2",
      "    acme-cart 5.0 depends on decimalx>=3",
    ],
    ["acme-tax 2.1 depends on decimalx<2", "acme-cart 5.0 depends on decimalx>=3"],
  ),
  among(
    "systemd",
    lines(500, n => `Mar 02 ${clock(n)} web-07 systemd[1]: Started ${noun(n)}-${folder(n)}.service - ${title(n)}.`),
    [
      "Mar 02 14:05:00 web-07 billing[911]: listen tcp 0.0.0.0:8080: bind: address already in use",
      "Mar 02 14:05:01 web-07 systemd[1]: billing.service: Main process exited, code=exited, status=2/INVALIDARGUMENT",
    ],
    ["bind: address already in use", "Main process exited"],
  ),
  among(
    "git rebase",
    lines(300, n => `Rebasing (${n}/300) ${title(n)}`),
    [
      "error: could not apply 4f1c9aa... Round to the cent",
      "hint: Resolve all conflicts manually, mark them as resolved with",
    ],
    ["could not apply 4f1c9aa... Round to the cent"],
  ),
  among(
    "node",
    infoLog(300),
    [
      "node:internal/modules/esm/resolve:257",
      "    throw new ERR_MODULE_NOT_FOUND(",
      "          ^",
      "",
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/tax' imported from /home/dev/shop/src/billing.js",
      "    at packageResolve (node:internal/modules/esm/resolve:757:9)",
    ],
    ["Cannot find package '@acme/tax'", "/home/dev/shop/src/billing.js"],
  ),
  among(
    "python",
    infoLog(300),
    [
      "Traceback (most recent call last):",
      '  File "/home/dev/shop/app/main.py", line 12, in <module>',
      "    run()",
      '  File "/home/dev/shop/app/billing.py", line 42, in run',
      "    raise OrderRejected(order)",
      "app.billing.OrderRejected: stock of sku 4711 is gone",
    ],
    ["app.billing.OrderRejected: stock of sku 4711 is gone", "Traceback (most recent call last)"],
  ),
];

const logs = (): Output[] => [
  among(
    "a log in Spanish",
    lines(400, n => `${clock(n)} El pedido ${4000 + n} ha salido hacia el almacén ${folder(n)}`),
    ["14:05:00 No se pudo conectar con la base de datos 10.4.0.12", "14:05:01 Acceso denegado a /srv/facturas"],
    ["No se pudo conectar", "Acceso denegado a /srv/facturas"],
  ),
  among(
    "a log in Portuguese",
    lines(400, n => `${clock(n)} O pedido ${4000 + n} saiu para o armazém ${folder(n)}`),
    ["14:05:00 Falha ao gravar a fatura 4711"],
    ["Falha ao gravar a fatura 4711"],
  ),
  among(
    "a log in Korean",
    lines(400, n => `${clock(n)} 주문 ${4000 + n} 창고 ${folder(n)} 로 보냈습니다`),
    ["14:05:00 데이터베이스 연결에 실패했습니다"],
    ["데이터베이스 연결에 실패했습니다"],
  ),
  among(
    "a log in Polish",
    lines(400, n => `${clock(n)} Zamówienie ${4000 + n} trafiło do magazynu ${folder(n)}`),
    ["14:05:00 Nie można otworzyć pliku /srv/faktury"],
    ["Nie można otworzyć pliku"],
  ),
  among(
    "a log in Greek",
    lines(400, n => `${clock(n)} Η παραγγελία ${4000 + n} έφυγε για την αποθήκη ${folder(n)}`),
    ["14:05:00 [τιμολόγιο 4711] -> δεν υπάρχει φορολογικός συντελεστής!"],
    ["δεν υπάρχει φορολογικός συντελεστής"],
  ),
  among(
    "a log as JSON",
    lines(400, n => JSON.stringify({ ts: stamp(n), level: "info", msg: title(n), order: 4000 + n })),
    [JSON.stringify({ ts: stamp(400), level: "error", msg: "tax rate of invoice 4711 came back empty", order: 4711 })],
    ["tax rate of invoice 4711 came back empty"],
  ),
  among(
    "postgres",
    lines(
      400,
      n => `${stamp(n)} UTC [${900 + (n % 20)}] LOG:  duration: ${n}.1 ms  statement: select * from ${noun(n)}`,
    ),
    [
      `${stamp(401)} UTC [911] ERROR:  deadlock detected`,
      `${stamp(401)} UTC [911] DETAIL:  Process 911 waits for ShareLock on transaction 4711; blocked by process 912.`,
    ],
    ["deadlock detected", "blocked by process 912"],
  ),
  among(
    "kubernetes events",
    lines(
      300,
      n =>
        `${n}m         Normal    Pulled             pod/${noun(n)}-${n}        Container image "acme/${noun(n)}:${n}" already present on machine`,
    ),
    [
      "3m          Warning   BackOff            pod/invoice-77        Back-off restarting failed container",
      "2m          Warning   FailedScheduling   pod/sender-12         0/9 nodes are available: 9 Insufficient memory.",
    ],
    ["Back-off restarting failed container", "9 Insufficient memory"],
  ),
];

export const others = (): Output[] => [...tests(), ...tools(), ...logs()];
