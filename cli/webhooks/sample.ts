import { createIds } from '../../relay/base/ids.ts';
import type { EventType } from '../../shared/api/event.ts';
import { webhookEvent } from '../../shared/api/webhook.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import { webhookBody } from '../../shared/webhooks/signing.ts';
import type { Io } from '../base/io.ts';
import type { Webhook } from './post.ts';
import { withValues } from './set-values.ts';

/** `faults`: the values that no event of this type has, each with its path; a receiver takes the sample for an unknown event. */
export type Sample = Webhook & { faults: string[] };

/**
 * A sample webhook of a type, of this moment, with an id of its own and `path=value` set in its body. Throws UsageError for a path that
 * leads nowhere.
 */
export function sampleWebhook(io: Io, type: EventType, values: readonly string[] = []): Sample {
  const sample: unknown = JSON.parse(webhookBody(type, io.now().toISOString(), webhookSamples[type]));
  const changed = withValues(sample, values);
  const faults = webhookEvent.safeParse(changed).error?.issues.map(({ path }) => path.join('.')) ?? [];
  return { id: createIds(io.now)('msg'), type, body: JSON.stringify(changed), faults };
}
