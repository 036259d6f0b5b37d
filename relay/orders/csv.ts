import { once } from 'node:events';
import type { Response } from 'express';
import { type OrderSummary, orderSummary } from '../../shared/api/order.ts';
import { csvLine } from '../http/csv.ts';
import type { Context } from '../store/context.ts';
import type { OrderSearch } from '../store/listing.ts';
import { findOrders } from './find.ts';

const columns = orderSummary.keyof().options;

/** How many orders are read at a time. */
const PAGE = 100;

/** Sends every order that a search finds as CSV (RFC 4180), a page at a time, as fast as it is taken. Throws StoreError. */
export async function sendCsv(context: Context, res: Response, search: OrderSearch): Promise<void> {
  let page = await findOrders(context, { ...search, limit: PAGE });
  res.set({
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': 'attachment; filename="orders.csv"',
    'Cache-Control': 'no-store',
  });
  res.write(csvLine(columns));
  for (;;) {
    const isTaken = res.write(page.orders.map(line).join('')) || page.orders.length === 0;
    if (!isTaken && !res.closed) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    if (res.closed || !page.next) break;
    page = await context.store.searchOrders({ ...search, limit: PAGE, after: page.next });
  }
  res.end();
}

function line(order: OrderSummary): string {
  return csvLine(columns.map((column) => String(order[column] ?? '')));
}
