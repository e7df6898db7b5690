/** Text in which nothing went wrong, however many of its words could stand in a failure. */

export const source = `import { readFile } from "node:fs/promises";
import { parse } from "./parser";

/** What a person may order, and for how much. */
export interface Order {
  id: string;
  lines: readonly Line[];
  discount?: number;
}

const TAX = 0.19;
const LIMITS = { lines: 100, total: 10_000, left: 4, right: 8 };

export class Cart {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly prices: Prices) {}

  add(sku: string, many = 1): this {
    const line = this.lines.get(sku) ?? { sku, many: 0 };
    this.lines.set(sku, { ...line, many: line.many + many });
    return this;
  }

  get total(): number {
    let sum = 0;
    for (const { sku, many } of this.lines.values()) sum += this.prices.of(sku) * many;
    return Math.round(sum * (1 + TAX) * 100) / 100;
  }

  async load(path: string): Promise<void> {
    const text = await readFile(path, "utf8");
    if (text === "") throw new Error("empty");
    for (const { sku, many } of parse(text)) this.add(sku, many);
  }
}

export function sorted(orders: readonly Order[]): Order[] {
  return [...orders].sort((a, b) => a.id.localeCompare(b.id));
}

@media (max-width: 600px) { .card { overflow: hidden; margin: 0 auto } }
def total(lines, rate=0.19):
    """The sum of all lines, with tax."""
    return round(sum(line.price * line.many for line in lines) * (1 + rate), 2)
`;

export const prose = `# Getting started
The shop is a small program that keeps orders, prints invoices and tells the warehouse what to send. It runs on any machine
with Node 22 and a PostgreSQL database. Most people start it with one command, and look at the rest of this page later.

## What it does
- Orders come in by the web form, by mail, or from a file that somebody drops into a folder.
- Prices are taken from the list of the day. Discounts apply once, to the whole cart, before tax.
- An invoice is a PDF. It has a number, and that number never changes.

## How it is built
Every part has a folder of its own, and knows nothing of the others but their names. The test suite takes about a minute.
You can run a part of it alone, which is what you want while you work on that part. See the guide at docs/testing.md.
The log goes to standard output, one line for each thing that happened, at 14:03 as at midnight.

1) Install the packages.
2) Start the database.
3) Open http://localhost:3000 and sign in.

Changes are welcome. Write a short message that says why, and keep each of them small enough to be read at once. We look at
them on Mondays and Thursdays, in the order in which they came. Larger ones should be talked over first.
Die Rechnung wird mit der Bestellung verschickt und liegt danach im Archiv. La facture part avec la commande.
发票和订单一起发出，之后保存在档案中。請求書は注文と一緒に送られ、その後は保管されます。
Счёт отправляется вместе с заказом и потом лежит в архиве.
`;

export const json = JSON.stringify(
  {
    name: "shop",
    version: "1.4.0",
    scripts: { build: "tsc -p .", test: "mocha out/test", lint: "eslint src --max-warnings 10" },
    orders: Array.from({ length: 12 }, (_, at) => ({
      id: 4000 + at,
      state: ["open", "sent", "paid"][at % 3],
      customer: { name: `Guest ${at}`, mail: `guest${at}@acme.test` },
      total: at * 9.5,
      errors: 0,
      note: null,
    })),
  },
  undefined,
  2,
);
