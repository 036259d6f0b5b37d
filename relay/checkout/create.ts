import type { CreateSession } from '../../shared/checkout/session.ts';
import { encodeItems, ItemsError } from '../../shared/gateway/items.ts';
import { type Context, newId } from '../context.ts';
import { ProblemError } from '../errors.ts';
import type { Account } from '../load-config.ts';
import { orderProblem } from './conflicts.ts';
import { isAllowedReturnUrl } from './return-url.ts';
import type { Session } from './session.ts';

const DEFAULT_LIFE_SECONDS = 86_400;

/** Makes a session of one order (design: `POST /v1/sessions`). Throws ProblemError; durable when it returns. */
export async function createSession(context: Context, account: Account, body: CreateSession): Promise<Session> {
  checkOrder(context, account, body);
  const now = context.now();
  const { order, payment_methods, installment_options, saved_cards, collect, return_url, locale, expires_in } = body;
  const session: Session = {
    id: newId('cs'),
    account: account.id,
    order_no: order.order_no,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + (expires_in ?? DEFAULT_LIFE_SECONDS) * 1000).toISOString(),
    revision: 1,
    version: 1,
    terms: {
      order,
      methods: payment_methods ?? [{ type: 'card' }],
      installment_options: installment_options ?? [],
      saved_cards: saved_cards ?? [],
      collect: collect ?? [],
      ...(return_url === undefined ? {} : { return_url }),
      ...(locale === undefined ? {} : { locale }),
    },
    state: { status: 'open' },
  };
  const created = await context.store.createSession(session);
  if (created !== 'created') throw orderProblem(created);
  return session;
}

function checkOrder(context: Context, account: Account, body: CreateSession): void {
  const refuse = (path: string, message: string): never => {
    throw new ProblemError('invalid_request', `Correct ${path}: it ${message}.`, { errors: [{ path, message }] });
  };
  const separator = context.config.gateway.profile.list_separator;
  if (body.order.order_no.includes(separator)) {
    refuse('order.order_no', `must not contain "${separator}", which separates orders in a query`);
  }
  if (body.return_url !== undefined && !isAllowedReturnUrl(body.return_url, account.return_urls)) {
    refuse('return_url', 'must lie under one of the return_urls of the relay’s configuration');
  }
  try {
    encodeItems(body.order.items ?? []);
  } catch (error) {
    if (!(error instanceof ItemsError)) throw error;
    refuse('order.items', `cannot be sent: ${error.message}`);
  }
}
