import { sessionId } from '../../../shared/samples/ids.ts';
import { emptyExamples } from '../examples/events.ts';
import {
  changedExamples,
  createSessionExamples,
  expiredExamples,
  sessionCreatedExamples,
  sessionExamples,
  settledSessionExamples,
  settleSessionExamples,
  updateSessionExamples,
} from '../examples/sessions.ts';
import {
  type Answer,
  BIRTH_DATE_RULE,
  CONTRACT_DATES_RULE,
  DECIMALS_RULE,
  type Example,
  type Parameter,
  RETURN_URL_RULE,
  type RouteDoc,
  ZERO_RULE,
} from '../route.ts';

const SESSION_ID: Parameter = { name: 'id', in: 'path', description: 'The session’s id.', example: sessionId };

/** The answer 200 with a session. */
function sessionIs(description: string, examples: readonly Example[]): Answer {
  return { status: 200, description, content: { kind: 'json', schema: 'Session', examples } };
}

/** Sessions, for shops' servers. */
export const sessionRoutes: readonly RouteDoc[] = [
  {
    method: 'post',
    path: '/v1/sessions',
    id: 'createSession',
    tag: 'Sessions',
    summary: 'Create a session',
    description: `Makes a checkout of one order. Hand \`client_secret\` to your page, which shows the form with it, or send the shopper to \`checkout_url\`. The amount, the currency and the order come from here alone: nothing that a browser sends changes them.

An order can be paid once. While a payment of its \`order_no\` is under way, and after one was approved, no new session is made: 409, with the \`session_id\` of the session that pays it, or paid it. Made again with the same \`Idempotency-Key\` and body, it is the same session, whose form shows what has become of it.`,
    access: { kind: 'api_key', scopes: ['sessions'] },
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: 'CreateSession', examples: createSessionExamples },
    rules: [
      RETURN_URL_RULE,
      '`payment_methods` must not name an alternative method twice',
      BIRTH_DATE_RULE,
      CONTRACT_DATES_RULE,
      DECIMALS_RULE,
      ZERO_RULE,
    ],
    answers: [
      {
        status: 201,
        description: 'The session is open.',
        content: { kind: 'json', schema: 'SessionCreated', examples: sessionCreatedExamples },
      },
    ],
    problems: ['order_in_progress', 'order_already_paid', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/v1/sessions/{id}',
    id: 'getSession',
    tag: 'Sessions',
    summary: 'Read a session',
    description: `Tells where a session stands. This and the webhook are the truth; what the browser brings back is not.

\`unknown\` means that the gateway may have charged. Neither ship nor cancel: the relay asks the gateway until it is known. \`pending\` means that a payment is under way that takes long, such as a voucher: the order waits for it until it is paid, abandoned by the shopper or settled by a person.`,
    access: {
      kind: 'api_key',
      scopes: ['sessions', 'payments'],
      which: '`payments` for a session that `POST /v1/payments` made',
    },
    parameters: [SESSION_ID],
    answers: [sessionIs('The session.', sessionExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'patch',
    path: '/v1/sessions/{id}',
    id: 'updateSession',
    tag: 'Sessions',
    summary: 'Change the order',
    description: `Changes what is paid while the session is \`open\`: the amount with its items, a discount, an address. Each field that is given replaces the old one whole; \`null\` takes one away. The changed order is checked as a new one is.

The session then has its next \`revision\`. Call \`.update()\` in your page, which shows the new amount: a payment of an earlier revision is refused (\`session_changed\`) before anything is sent. A change that changes nothing keeps the revision, so the same request may be sent again.

A payment that has begun wins (\`attempt_in_flight\`). An attempt that was left at the issuer’s page can still be paid as it was sent: the session that is approved then has \`order_changed\`, and its \`amount\` tells what was paid.`,
    access: { kind: 'api_key', scopes: ['sessions'] },
    parameters: [SESSION_ID],
    body: { kind: 'json', schema: 'UpdateSession', examples: updateSessionExamples },
    rules: [
      '`order_no` must be the one that the session has',
      BIRTH_DATE_RULE,
      CONTRACT_DATES_RULE,
      DECIMALS_RULE,
      ZERO_RULE,
    ],
    answers: [sessionIs('The session as it is now.', changedExamples)],
    problems: ['not_found', 'attempt_in_flight', 'session_final', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/sessions/{id}/settle',
    id: 'settleSession',
    tag: 'Sessions',
    summary: 'Settle a session',
    description: `For a person who looked at the gateway’s own records. Decides every payment of the session’s order that is \`redirected\`, \`pending\` or \`unknown\`, whichever session made it; nothing is sent to the gateway. The session keeps who decided, when and why (\`settled\`), and its webhook tells it.

What the gateway proves later still counts more: a payment that it shows after \`not_paid\` makes the order paid.`,
    access: { kind: 'api_key', scopes: ['settle'] },
    repeatable: 'kept_answer',
    parameters: [SESSION_ID],
    body: { kind: 'json', schema: 'SettleSession', examples: settleSessionExamples },
    rules: ['`note` must say why: spaces alone do not'],
    answers: [sessionIs('The session as it stands now.', settledSessionExamples)],
    problems: ['not_found', 'session_not_unsettled', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/sessions/{id}/expire',
    id: 'expireSession',
    tag: 'Sessions',
    summary: 'Withdraw a session',
    description: `Ends a checkout that is open: nobody can pay it any more. Asked for again, it is the same.

A payment that has begun wins: while one is in progress, \`redirected\`, \`pending\` or \`unknown\`, the session stays as it is (\`attempt_in_flight\`).`,
    access: { kind: 'api_key', scopes: ['sessions'] },
    repeatable: 'kept_answer',
    parameters: [SESSION_ID],
    body: { kind: 'json', schema: 'EmptyBody', examples: emptyExamples, isOptional: true },
    answers: [sessionIs('The session, `expired`.', expiredExamples)],
    problems: ['not_found', 'attempt_in_flight', 'session_final', 'store_unavailable'],
  },
];
