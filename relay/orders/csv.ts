import type { Response } from 'express';
import { type OrderSummary, orderSummary } from '../../shared/api/order.ts';
import { csvFileName, type SendCsv } from '../http/csv.ts';
import type { Context } from '../store/context.ts';
import type { OrderSearch } from '../store/listing.ts';
import { everyOrder } from './find.ts';

const columns = orderSummary.keyof().options;

/** How many orders are read at a time. */
const PAGE = 100;

/** Sends every order that a search finds as CSV. Throws ProblemError and StoreError. */
export async function sendOrders(
  context: Context,
  sendCsv: SendCsv,
  res: Response,
  search: OrderSearch,
): Promise<void> {
  const { account } = search;
  await sendCsv(
    res,
    { account, name: csvFileName('orders', account, context.now()), columns },
    pagesOf(context, search),
  );
}

async function* pagesOf(context: Context, search: OrderSearch): AsyncGenerator<string[][], void> {
  for await (const orders of everyOrder(context, { ...search, limit: PAGE })) yield orders.map(cellsOf);
}

function cellsOf(order: OrderSummary): string[] {
  return columns.map((column) => String(order[column] ?? ''));
}
