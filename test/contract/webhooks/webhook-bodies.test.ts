import { describe, expect, it } from 'vitest';
import { webhookExample } from '../../../relay/openapi/webhooks.ts';
import { eventTypes, webhookEvent } from '../../../shared/api/webhook.ts';

describe('the schema of webhooks', () => {
  it.each(eventTypes)('takes the documented example of %s whole', (type) => {
    const example = webhookExample(type);
    expect(webhookEvent.parse(example)).toEqual(example);
  });

  it('has every type once', () => {
    expect(webhookEvent.options.map(({ shape }) => shape.type.value)).toEqual(eventTypes);
  });
});
