import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCents, invoiceTotal, lineTotal } from "../src/invoice.js";

test("a line costs quantity times unit price", () => {
  assert.equal(lineTotal({ quantity: 3, unitPrice: 1250 }), 3750);
});

test("totals round half up to whole cents", () => {
  // two and a half hours at 3.33: 832.5 cents
  assert.equal(lineTotal({ quantity: 2.5, unitPrice: 333 }), 833);
});

test("an invoice adds up its lines and the tax", () => {
  const lines = [
    { quantity: 2, unitPrice: 4000 },
    { quantity: 1, unitPrice: 2000 },
  ];
  assert.deepEqual(invoiceTotal(lines, 20), { net: 10000, tax: 2000, gross: 12000 });
});

test("amounts are written with two decimals", () => {
  assert.equal(formatCents(83250), "832.50");
});
