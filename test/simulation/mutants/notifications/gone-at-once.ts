import * as right from '../../../../relay/webhooks/after-try.ts';

export * from '../../../../relay/webhooks/after-try.ts';

/** Wrong: a webhook is given up after a single answer 410. */
export const afterTry: typeof right.afterTry = (before, sent, now, random) =>
  sent.kind === 'refused' && sent.fault === 'http_410'
    ? { status: 'failed', tries: before.tries + 1, failed_at: now.toISOString(), reason: sent.fault }
    : right.afterTry(before, sent, now, random);
