// Amounts are whole cents. Only formatCents turns them into something to read.

/** Cents, rounded half up: 832.5 becomes 833. */
export function roundTotal(cents) {
  return Math.floor(cents);
}

/** What one line of an invoice costs, in cents. */
export function lineTotal({ quantity, unitPrice }) {
  return roundTotal(quantity * unitPrice);
}

/** Net amount, tax and gross amount of an invoice, in cents. */
export function invoiceTotal(lines, taxPercent) {
  const net = lines.reduce((sum, line) => sum + lineTotal(line), 0);
  const tax = roundTotal((net * taxPercent) / 100);
  return { net, tax, gross: net + tax };
}

/** 83250 becomes "832.50". */
export function formatCents(cents) {
  return (cents / 100).toFixed(2);
}
