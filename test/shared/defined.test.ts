import assert from "node:assert/strict";
import { defined } from "../../src/shared/defined";

describe("fields without a value", () => {
  it("are left out, and the others stand in their order", () => {
    const rows: [fields: object, json: string][] = [
      [{}, "{}"],
      [{ a: undefined }, "{}"],
      [{ b: 1, a: undefined, c: "x" }, '{"b":1,"c":"x"}'],
      [{ c: 0, b: "", a: false, d: null }, '{"c":0,"b":"","a":false,"d":null}'],
      [{ z: undefined, y: { z: undefined, x: 1 }, a: [] }, '{"y":{"x":1},"a":[]}'],
    ];
    for (const [fields, json] of rows) {
      assert.equal(JSON.stringify(defined(fields)), json);
      assert.ok(Object.values(defined(fields)).every(value => value !== undefined));
    }
  });
});
