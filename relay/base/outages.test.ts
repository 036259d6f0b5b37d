import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { createOutages, systemCode } from './outages.ts';

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const outages = createOutages(log, () => new Date('2027-03-31T10:30:00.000Z'));
  return { lines, outages };
}

describe('an outage', () => {
  it('is logged at its beginning and its end, whatever is reported between', () => {
    const { lines, outages } = setUp();
    outages.works('gateway');
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ENOTFOUND']) outages.failed('gateway', code);
    expect(outages.lost()).toEqual([{ part: 'gateway', code: 'ENOTFOUND', since: '2027-03-31T10:30:00.000Z' }]);
    for (const _time of [1, 2]) outages.works('gateway');
    expect(lines).toMatchObject([
      { level: 'error', msg: 'gateway not reached', part: 'gateway', code: 'ECONNREFUSED' },
      { level: 'info', msg: 'gateway is back', part: 'gateway', code: 'ENOTFOUND', ms: expect.any(Number) },
    ]);
    expect(outages.counts()).toEqual([{ part: 'gateway', code: 'ECONNREFUSED', count: 1 }]);
  });

  it.each(['EMFILE', 'ENFILE'])('by %s is one of the descriptors, too', (code) => {
    const { outages } = setUp();
    outages.failed('store', code);
    expect(outages.lost()).toMatchObject([
      { part: 'store', code },
      { part: 'descriptors', code },
    ]);
  });

  it('has a code, and no text that may quote what was handled', () => {
    const { outages } = setUp();
    outages.failed('store', '4111111111111111');
    expect(outages.lost()).toMatchObject([{ code: 'UNKNOWN' }]);
    expect(outages.counts()).toMatchObject([{ code: 'UNKNOWN' }]);
  });

  it('of many codes has few series', () => {
    const { outages } = setUp();
    for (let at = 100; at < 200; at++) {
      outages.failed('gateway', `E_${at}`);
      outages.works('gateway');
    }
    expect(outages.counts()).toHaveLength(51);
    expect(outages.counts().at(-1)).toMatchObject({ code: 'other', count: 50 });
  });
});

describe('the code of an error', () => {
  const withCode = (code: string) => Object.assign(new Error('text'), { code });

  it.each([
    [withCode('CERT_HAS_EXPIRED'), 'CERT_HAS_EXPIRED'],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('EACCES')]), 'ECONNREFUSED'],
    [withCode('call_ended'), undefined],
    [new Error('ECONNREFUSED'), undefined],
    ['ECONNREFUSED', undefined],
  ])('%s is %s', (error, code) => expect(systemCode(error)).toBe(code));
});
