import * as right from '../../../../relay/webhooks/send-webhook.ts';

export * from '../../../../relay/webhooks/send-webhook.ts';

/** Wrong: a receiver that answers 410 once is sent that webhook no more. */
export const afterTry: typeof right.afterTry = (before, sent, now, random) =>
  sent.kind === 'refused' && sent.fault === 'http_410'
    ? { status: 'failed', tries: before.tries + 1, failed_at: now.toISOString(), reason: sent.fault }
    : right.afterTry(before, sent, now, random);
