/**
 * What programs really printed, recorded with their faults in small projects made for it, and what a person would have to see of each:
 * chosen before anybody looked at what is shown.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Output } from "./kit";

const MATTERS: Record<string, readonly string[]> = {
  jest: [
    "token › never ends",
    "Exceeded timeout of 300 ms",
    "price › loads a price by id",
    "TypeError: price id is required",
    "shipment › matches what was kept",
    "27 failed, 185 passed",
  ],
  vitest: ["loads a price by id", "TypeError: price id is required", "26 failed"],
  mocha: ["25 failing", "loads a price by id", "TypeError: price id is required"],
  nodetest: ["TypeError [Error]: price id is required", "loads a price by id", "fail 25"],
  nodetap: ["loads a price by id", "price id is required", "# fail 25"],
  eslint: [
    "Expected '===' and instead saw '=='",
    "'undefinedThing' is not defined",
    "184 problems (94 errors, 90 warnings)",
  ],
  webpack: [
    "ERROR in ./wp/a.js 2:19",
    "Unexpected token (2:19)",
    "Can't resolve './nowhere.js'",
    "Can't resolve 'lodash-not-here'",
  ],
  tsc: [
    "Cannot find module './missing'",
    "Property 'c' does not exist on type",
    "Cannot find name 'undefinedName'",
    "Found 97 errors",
  ],
  nodecrash: ["Error: order 1400 was not saved", 'violates unique constraint "orders_number_key"', "crash.mjs:5:88"],
  eaddr: ["EADDRINUSE: address already in use :::3999", "eaddr.mjs:3:50"],
  pytest: [
    "test_session.py::test_load",
    "KeyError: 'b'",
    "could not reach postgre",
    "test_voucher.py::test_rows",
    "/etc/orders/rates.toml",
    "54 failed, 379 passed, 1 error",
  ],
  pytrace: [
    "Expecting property name enclosed in double quotes",
    "import of /data/orders-2026.csv stopped at row 399",
    "row 150 has no price",
  ],
  unittest: [
    "test_order_071",
    "'/etc/orders/rates.toml'",
    "test_order_033",
    "{'total': 120, 'currency': 'EUR'} != {'total': 119, 'currency': 'EUR'}",
  ],
  pylint: ["No name 'not_there' in module 'ledger'", "typed.py:362:9: E0602: Undefined variable 'undefined_name'"],
  gotest: ["index out of range [0] with length 0", "shop/customer", "empty items is 1, want 0", "shop/refund"],
  gopanic: ["invalid memory address or nil pointer dereference", "race.go:11"],
  godeadlock: ["all goroutines are asleep - deadlock!", "dl/main.go:10", "dl/main.go:8"],
  cargotest: [
    "order_066_adds_up",
    "src/lib.rs:2:38",
    "index out of bounds",
    "order_040_adds_up",
    "order_097_adds_up",
    "order_120_adds_up",
    "156 passed; 4 failed",
  ],
  cargobuild: [
    "missing lifetime specifier",
    "src/main.rs:53:21",
    "cannot find function `missing_function`",
    "due to 3 previous errors",
  ],
  cargobuild2: ["mismatched types", "cannot find function `missing_function`", "due to 2 previous errors"],
  rustpanic: ["src/main.rs:1:51", "ParseIntError { kind: InvalidDigit }"],
  gcc: ["storage size of ‘o’ isn’t known", "‘y’ undeclared", "expected ‘;’ before"],
  gpp: ["b.cpp:6:122: error: conversion from ‘int’", "has no member named ‘nope’", "no match for ‘operator<’"],
  clang: [
    "variable has incomplete type 'struct order'",
    "use of undeclared identifier 'y'",
    "expected ';' after return statement",
    "3 errors generated",
  ],
  asan: ["heap-use-after-free", "asan.c:3 in main"],
  make: [
    "nothere.c: No such file or directory",
    "[Makefile:443: bad.o] Error 1",
    "undefined reference to `missing_symbol'",
    "undefined reference to `also_missing'",
  ],
  javatrace: ["order 299 was not saved", 'For input string: "12,5"', "Main.save(Main.java:4)"],
  javac: ["Bad.java:33: error: incompatible types", "method undefined(int)", "method nope()", "3 errors"],
  rspec: [
    "Shop adds up order 20",
    "Shop adds up order 51",
    "Shop adds up order 70",
    "index 0 outside of array bounds",
    "420 examples, 3 failures",
  ],
  rubytrace: ["key not found: :rate", "invoice 88 has no rate", "t.rb:"],
  phpunit: [
    "Order 020",
    "Order 051",
    "could not open /var/lib/shop/rates.db",
    "ShopTest.php:81",
    "Errors: 1, Failures: 2",
  ],
  phptrace: ["Undefined variable $undefined", "DivisionByZeroError: Division by zero", "t.php:4"],
  prove: ["no transport for smtp.example.org", "rate 7 adds up", "rate 30 adds up"],
  sqlite: [
    "UNIQUE constraint failed: orders.number",
    "NOT NULL constraint failed: orders.total",
    "no such table: ordrs",
    "no such column: totl",
  ],
  nginxaccess: [
    'GET /api/orders/77 HTTP/1.1" 502',
    'POST /boom/checkout HTTP/1.1" 500',
    'GET /slow/report HTTP/1.1" 503',
  ],
  maven: ["no connection to db-7.internal:5432", "order307AddsUp", "Failures: 20, Errors: 1"],
  mavencompile: ["Bad.java:[33,30] incompatible types", "method undefined(int)", "COMPILATION ERROR"],
  psql: [
    "orders_number_key",
    'null value in column "total"',
    "orders_total_check",
    'relation "ordrs" does not exist',
    'column "totl" does not exist',
    "invalid input syntax for type integer",
    "division by zero",
  ],
};

/** @param root of the repository: tests run there */
export const recorded = (root: string): Output[] =>
  Object.entries(MATTERS).map(([name, matters]) => ({
    name,
    stdout: readFileSync(join(root, "test/fixtures/outputs", `${name}.txt`), "utf8"),
    matters,
  }));
