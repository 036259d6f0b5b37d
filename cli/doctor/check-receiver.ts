import { WEBHOOK_TIMEOUT_MS, webhookRequestHeaders } from '../../shared/webhooks/signing.ts';
import type { Io } from '../base/io.ts';
import { isTaken, newSecret, postWebhook, type Tried, type Webhook } from '../webhooks/post.ts';
import { sampleWebhook } from '../webhooks/sample.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** An age that receivers must refuse: more than five minutes. */
const OLD_MS = 600_000;

/** The timeout of a receiver. It is long, so that the doctor can report how late an answer is. */
const PATIENCE_MS = 30_000;

/** The number of an order that no shop has. */
const ORDER_NO = 'TURNPIKE-CHECK';

const IN_TIME = `The relay waits ${WEBHOOK_TIMEOUT_MS / 1000} s, and then sends the event again. Answer first, and work afterwards.`;
const SENT_TWICE = 'The relay can send the same webhook-id again. Answer 2xx to a known one, and do nothing else.';

type Receiver = { url: string; secret: string };

/**
 * Sends a sample event to a receiver: correctly signed, then twice, then in ways that it must refuse. The event is
 * about a session and an order that do not exist. Returns a finding for each check, and only the first one if the
 * receiver cannot be reached.
 */
export async function checkReceiver(io: Io, receiver: Receiver): Promise<Finding[]> {
  const webhook = sampleWebhook(io, 'session.expired', [`data.order_no=${ORDER_NO}`]);
  const first = await postWebhook(io, receiver, webhook, { timeoutMs: PATIENCE_MS });
  if (first.kind !== 'answered') return [notReached(first, receiver.url)];
  const findings = [
    ok('reached', 'it answers'),
    finding('signed', isTaken(first), answerOf(first), refusalAdvice(first.status)),
    finding('in time', first.ms <= WEBHOOK_TIMEOUT_MS, `answers in ${first.ms} ms`, IN_TIME),
  ];
  if (isTaken(first)) {
    const again = await postWebhook(io, receiver, webhook);
    findings.push(finding('sent twice', isTaken(again), answerOf(again), SENT_TWICE));
  }
  for (const { check, advice, request } of forgeries(io, receiver)) {
    const { body = webhook.body, headers } = request(webhook);
    const tried = await postWebhook(io, receiver, { ...webhook, body }, { headers });
    findings.push(refused(check, tried, advice));
  }
  return findings;
}

type Forgery = {
  check: string;
  advice: string;
  request(webhook: Webhook): { body?: string; headers: Record<string, string> };
};

/** The requests that a receiver must refuse. */
function forgeries(io: Io, { secret }: Receiver): Forgery[] {
  const now = io.now().getTime();
  return [
    {
      check: 'wrong secret',
      advice: 'It accepts forged events. Verify webhook-signature before anything else.',
      request: (webhook) => ({ headers: webhookRequestHeaders(webhook, [newSecret()], now) }),
    },
    {
      check: 'old timestamp',
      advice:
        'An event that was recorded can be sent again for ever. Refuse a webhook-timestamp older than five minutes.',
      request: (webhook) => ({ headers: webhookRequestHeaders(webhook, [secret], now - OLD_MS) }),
    },
    {
      check: 'changed body',
      advice: 'It verifies other bytes than it received. Verify the raw body before you parse it as JSON.',
      request: (webhook) => ({ body: `${webhook.body} `, headers: webhookRequestHeaders(webhook, [secret], now) }),
    },
    {
      check: 'no signature',
      advice: 'It accepts unsigned events. Refuse requests without webhook-signature.',
      request: () => ({ headers: { 'content-type': 'application/json' } }),
    },
  ];
}

function notReached(tried: Tried, url: string): Finding {
  const fault = tried.kind === 'no_answer' ? tried.fault : 'stopped';
  return wrong('reached', `no answer (${fault})`, adviceFor(fault, url));
}

function adviceFor(fault: string, url: string): string {
  if (fault === 'timeout') return `It gave no answer in ${PATIENCE_MS / 1000} s. Answer first, and work afterwards.`;
  if (fault === 'ECONNREFUSED') return 'Nothing listens there. Start the shop, and check the port.';
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(fault)) return `The name ${new URL(url).hostname} has no address.`;
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE|^ERR_SSL|^ERR_TLS|^EPROTO/.test(fault)) {
    return 'Its TLS certificate is not valid: it must be for this name, not expired, sent with its intermediate certificates, and signed by an authority that Node.js trusts.';
  }
  return 'Check the address, and that the shop runs.';
}

function refusalAdvice(status: number): string {
  if (status >= 500) return 'It failed on a correctly signed event: see its log.';
  if (status >= 300 && status < 400)
    return 'It redirects, which the relay does not follow. Configure the address of the redirect.';
  if (status === 404 || status === 405) return 'Nothing is there for POST: check the path.';
  return 'It refuses a correctly signed event. Check that it verifies with the same secret, and verifies the raw body.';
}

function refused(check: string, tried: Tried, advice: string): Finding {
  const isRefused = tried.kind === 'answered' && tried.status >= 400 && tried.status < 500;
  return finding(check, isRefused, answerOf(tried), isTaken(tried) ? advice : 'Refuse it with 400 or 401.');
}

function finding(check: string, isRight: boolean, says: string, next: string): Finding {
  return isRight ? ok(check, says) : wrong(check, says, next);
}

function answerOf(tried: Tried): string {
  return tried.kind === 'answered'
    ? `answers ${tried.status}`
    : `no answer (${tried.kind === 'stopped' ? 'stopped' : tried.fault})`;
}
