import { createIds } from '../../relay/base/ids.ts';
import type { EventType } from '../../shared/api/webhook.ts';
import { webhookEvent } from '../../shared/api/webhook.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import { webhookBody } from '../../shared/webhooks/signing.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import type { Webhook } from './post.ts';

/**
 * `faults`: values that no event of this type has, each with its path. A receiver takes such a sample for an unknown
 * event.
 */
type Sample = Webhook & { faults: string[] };

/**
 * A sample webhook of a type, with the present time, a new id, and `path=value` set in its body. Throws UsageError for
 * a path that does not exist.
 */
export function sampleWebhook(io: Io, type: EventType, values: readonly string[] = []): Sample {
  const sample: unknown = JSON.parse(webhookBody(type, io.now().toISOString(), webhookSamples[type]));
  const changed = withValues(sample, values);
  const faults = webhookEvent.safeParse(changed).error?.issues.map(({ path }) => path.join('.')) ?? [];
  return { id: createIds(io.now)('msg'), type, body: JSON.stringify(changed), faults };
}

/**
 * A sample with values set by `path=value`, such as `data.amount=12.00`. A value is a text, or a number, `true` or
 * `false` if the sample has one there. Objects, lists, and `true` and `false` in a new place are read as JSON. Throws
 * UsageError.
 */
export function withValues(sample: unknown, assignments: readonly string[]): unknown {
  const copy = structuredClone(sample);
  for (const assignment of assignments) setValue(copy, assignment);
  return copy;
}

function setValue(root: unknown, assignment: string): void {
  const [, path = '', text = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
  const names = path.split('.');
  const last = names.pop() ?? '';
  if (last === '' || [...names, last].includes('__proto__')) throw wrong(assignment, 'is not path=value');
  let place = root;
  for (const name of names) place = isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  if (!isObject(place)) throw wrong(assignment, 'leads nowhere in this event');
  place[last] = valueIn(text, place[last], assignment);
}

function valueIn(text: string, before: unknown, assignment: string): unknown {
  if (typeof before === 'string' || (before === undefined && !/^([[{]|(true|false)$)/.test(text))) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(assignment, `is not JSON, and a ${typeof before} stands there`);
  }
}

function wrong(assignment: string, what: string): UsageError {
  return new UsageError(`--set ${assignment} ${what}.`, 'Give it as --set data.amount=12.00.');
}
