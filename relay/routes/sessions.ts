import { sessionAnswer, sessionCreated, settleSession } from '../../shared/api/session.ts';
import { createSession, updateSession } from '../../shared/checkout/session.ts';
import { sessionId } from '../../shared/samples/ids.ts';
import {
  changedExamples,
  createSessionExamples,
  expiredExamples,
  sessionCreatedExamples,
  sessionExamples,
  settledSessionExamples,
  settleSessionExamples,
  updateSessionExamples,
} from './examples/sessions.ts';
import {
  BIRTH_DATE_RULE,
  CONTRACT_DATES_RULE,
  CURRENCY_RULE,
  DECIMALS_RULE,
  type Example,
  json,
  key,
  noBody,
  type Parameter,
  RETURN_URL_RULE,
  type Routes,
  ZERO_RULE,
} from './route.ts';

const SESSION_ID: Parameter = { name: 'id', in: 'path', description: 'The session’s id.', example: sessionId };

/** The answer 200 with a session. */
function sessionIs(description: string, examples: readonly Example[]) {
  return json(200, description, sessionAnswer, examples);
}

/** Sessions, for shops' servers. */
export const sessionRoutes = {
  createSession: {
    method: 'post',
    path: '/v1/sessions',
    summary: 'Create a session',
    description: `Creates a checkout for one order. Give \`client_secret\` to your page, which shows the form with it, or send the shopper to \`checkout_url\`. This request alone sets the amount, the currency and the order: nothing that a browser sends changes them.

An order can be paid once. While a payment of its \`order_no\` is in progress, and after one was approved, the relay creates no new session: it answers 409 with the \`session_id\` of the session that pays or paid the order. A repetition with the same \`Idempotency-Key\` and body returns the same session, whose form shows its current status.`,
    access: key('sessions'),
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: createSession, examples: createSessionExamples, withFile: true },
    rules: [
      RETURN_URL_RULE,
      '`payment_methods` must not name an alternative method twice',
      BIRTH_DATE_RULE,
      CONTRACT_DATES_RULE,
      CURRENCY_RULE,
      DECIMALS_RULE,
      ZERO_RULE,
    ],
    answers: [json(201, 'The session is open.', sessionCreated, sessionCreatedExamples)],
    problems: ['order_in_progress', 'order_already_paid', 'store_unavailable'],
  },
  getSession: {
    method: 'get',
    path: '/v1/sessions/{id}',
    summary: 'Read a session',
    description: `Returns a session with its status. Rely on this and on the webhook, not on what the browser brings back.

\`unknown\`: the gateway may have charged. Neither ship nor cancel: the relay queries the gateway until the outcome is known. \`pending\`: a payment that takes long is in progress, such as a voucher. The order waits for it until it is paid, abandoned by the shopper or settled by a person.

There is no list of sessions: \`GET /v1/orders\` lists orders, with \`session_status\`, and \`GET /v1/orders/{order_no}\` has the sessions of one.`,
    access: {
      kind: 'api_key',
      scopes: ['sessions', 'payments'],
      which: '`payments` for a session that `POST /v1/payments` created',
    },
    parameters: [SESSION_ID],
    answers: [sessionIs('The session.', sessionExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
  updateSession: {
    method: 'patch',
    path: '/v1/sessions/{id}',
    summary: 'Change the order',
    description: `Changes the order while the session is \`open\`, such as the amount with its items, a discount or an address. Each given field replaces the old one as a whole; \`null\` removes one. The relay checks the changed order like a new one.

The session then has its next \`revision\`. Call \`.update()\` in your page, which shows the new amount: a payment of an earlier revision is refused (\`session_changed\`) before anything is sent. A request that changes nothing keeps the revision, so it can be repeated.

A payment that has begun takes precedence (\`attempt_in_flight\`). An attempt that the shopper left at the issuer’s page can still be paid as it was sent: the approved session then has \`order_changed\`, and its \`amount\` is the amount that was paid.`,
    access: key('sessions'),
    audit: 'session.update',
    parameters: [SESSION_ID],
    body: { kind: 'json', schema: updateSession, examples: updateSessionExamples, withFile: true },
    rules: [
      '`order_no` must be that of the session',
      BIRTH_DATE_RULE,
      CONTRACT_DATES_RULE,
      CURRENCY_RULE,
      DECIMALS_RULE,
      ZERO_RULE,
    ],
    answers: [sessionIs('The session after the change.', changedExamples)],
    problems: ['not_found', 'attempt_in_flight', 'session_final', 'store_unavailable'],
  },
  settleSession: {
    method: 'post',
    path: '/v1/sessions/{id}/settle',
    summary: 'Settle a session',
    description: `For a person who checked the gateway’s records. Decides every payment of the session’s order that is \`redirected\`, \`pending\` or \`unknown\`, in all its sessions; nothing is sent to the gateway. The session and its webhook contain who decided, when and why (\`settled\`).

A later proof by the gateway takes precedence: a payment that it shows after \`not_paid\` makes the order paid.`,
    access: key('settle'),
    repeatable: 'kept_answer',
    audit: 'session.settle',
    parameters: [SESSION_ID],
    body: { kind: 'json', schema: settleSession, examples: settleSessionExamples },
    rules: ['`note` must contain more than spaces', DECIMALS_RULE],
    answers: [sessionIs('The session after the settlement.', settledSessionExamples)],
    problems: ['not_found', 'session_not_unsettled', 'transaction_known', 'transaction_id_form', 'store_unavailable'],
  },
  expireSession: {
    method: 'post',
    path: '/v1/sessions/{id}/expire',
    summary: 'Withdraw a session',
    description: `Ends an open checkout, so that it can no longer be paid. Repeating the request changes nothing.

A payment that has begun takes precedence: while one is in progress, \`redirected\`, \`pending\` or \`unknown\`, the session does not change (\`attempt_in_flight\`).`,
    access: key('sessions'),
    repeatable: 'kept_answer',
    audit: 'session.expire',
    parameters: [SESSION_ID],
    body: noBody,
    answers: [sessionIs('The session, `expired`.', expiredExamples)],
    problems: ['not_found', 'attempt_in_flight', 'session_final', 'store_unavailable'],
  },
} as const satisfies Routes;
