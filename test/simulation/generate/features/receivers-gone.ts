import type { Step } from '../../steps.ts';
import { RETENTION_DAYS } from '../../world/config.ts';
import { randomOf } from '../../world/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../message-plans.ts';

/** Adds shops that answer webhooks with 410, some until the webhooks are given up. Then people of the shop resolve them. */
export function withReceiversGone(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'receivers gone');
  if (draw() >= 1 / 8) return [...steps];
  const isForLong = draw() < 0.6;
  const ms = isForLong ? draw.between(26 * HOUR, 40 * HOUR) : draw.between(MINUTE, HOUR);
  const at = draw.between(1, steps.length);
  // Before retention deletes the webhooks.
  const forgets = steps.findIndex(({ after }, n) => n >= at && after > RETENTION_DAYS * DAY);
  const to = draw.between(at, Math.min(forgets < 0 ? steps.length : forgets, at + 12));
  const gone: Step = { after: SECOND, do: 'break shop', how: 'http_410', ms };
  const what = draw() < 0.6 ? 'redeliver' : 'acknowledge';
  const dealt: Step[] = isForLong ? [{ after: ms, do: 'failed webhooks', what }] : [];
  return steps.toSpliced(to, 0, ...dealt).toSpliced(at, 0, gone);
}
