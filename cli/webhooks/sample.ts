import { createIds } from '../../relay/base/ids.ts';
import type { EventType } from '../../shared/api/event.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import { webhookBody } from '../../shared/webhooks/request.ts';
import type { Io } from '../base/io.ts';
import type { Webhook } from './post.ts';
import { withValues } from './set-values.ts';

/**
 * A sample webhook of a type, of this moment, with an id of its own and `path=value` set in its body. Throws UsageError for a path that
 * leads nowhere.
 */
export function sampleWebhook(io: Io, type: EventType, values: readonly string[] = []): Webhook {
  const sample: unknown = JSON.parse(webhookBody(type, io.now().toISOString(), webhookSamples[type]));
  return { id: createIds(io.now)('msg'), type, body: JSON.stringify(withValues(sample, values)) };
}
