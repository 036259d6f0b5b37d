import { describe, expect, it } from 'vitest';
import { webhookExample } from '../../../relay/openapi/webhooks.ts';
import { eventTypes, webhookEvent } from '../../../shared/api/webhook.ts';

describe('the schema of webhooks', () => {
  it.each(eventTypes)('accepts the complete documented example of %s', (type) => {
    const example = webhookExample(type);
    expect(webhookEvent.parse(example)).toEqual(example);
  });

  it('contains every type once', () => {
    expect(webhookEvent.options.map(({ shape }) => shape.type.value)).toEqual(eventTypes);
  });
});
