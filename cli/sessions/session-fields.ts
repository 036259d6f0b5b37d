import type { SessionAnswer } from '../../client/index.ts';

/** A session without what opens its checkout. */
export function withoutSecret(session: SessionAnswer): Omit<SessionAnswer, 'client_secret' | 'checkout_url'> {
  const { client_secret: _secret, checkout_url: _url, ...shown } = session;
  return shown;
}

/** A session as fields for people: where it stands, then its attempts, a line each. */
export function sessionFields(session: ReturnType<typeof withoutSecret>): Record<string, string | undefined> {
  const { id, status, order_no, amount, currency, refunded, attempts, unknown, pending, settled } = session;
  const waits = unknown ?? pending;
  return {
    session: id,
    status: (waits?.needs_attention ?? session.needs_attention) ? `${status}, needs attention` : status,
    reason: session.reason ?? unknown?.reason,
    order: order_no,
    amount: `${amount} ${currency}`,
    refunded: refunded && `${refunded} ${currency}`,
    transaction: session.transaction_id,
    card: session.card,
    subscription: session.recurring_id,
    'paid twice': session.paid_twice?.join(', '),
    created: session.created_at,
    expires: session.expires_at,
    'asked next': waits?.next_look_at,
    settled: settled && `by ${settled.by} at ${settled.at}: ${settled.note}`,
    ...Object.fromEntries(
      attempts.map(({ started_at, method, card, status: of, result }, at) => [
        `attempt ${at + 1}`,
        [started_at, method, card, of, result?.code, result?.message].filter(Boolean).join(' '),
      ]),
    ),
  };
}
