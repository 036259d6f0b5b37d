import type { Response } from 'express';
import { type OrderSummary, orderSummary } from '../../shared/api/order.ts';
import { csvFileName, sendCsv } from '../http/csv.ts';
import type { Context } from '../store/context.ts';
import type { OrderSearch } from '../store/listing.ts';
import { everyOrder } from './find.ts';

const columns = orderSummary.keyof().options;

/** How many orders are read at a time. */
const PAGE = 100;

/** Sends every order that a search finds as CSV. Throws StoreError. */
export async function sendOrders(context: Context, res: Response, search: OrderSearch): Promise<void> {
  const file = { name: csvFileName('orders', search.account, context.now()), columns };
  await sendCsv(res, file, pagesOf(context, search), context.log);
}

async function* pagesOf(context: Context, search: OrderSearch): AsyncGenerator<string[][], void> {
  for await (const orders of everyOrder(context, { ...search, limit: PAGE })) yield orders.map(cellsOf);
}

function cellsOf(order: OrderSummary): string[] {
  return columns.map((column) => String(order[column] ?? ''));
}
