import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { createOutages, systemCode } from './outages.ts';

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = { ms: 0 };
  const outages = createOutages(
    log,
    () => new Date('2027-03-31T10:30:00.000Z'),
    () => clock.ms,
  );
  return { lines, outages, clock };
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

  it('that comes and goes is one outage until it has been quiet', () => {
    const { lines, outages, clock } = setUp();
    for (let at = 0; at < 600; at++) {
      clock.ms += 100;
      outages.failed('gateway', 'ETIMEDOUT');
      outages.works('gateway');
    }
    expect(lines.map(({ msg }) => msg)).toEqual(['gateway not reached', 'gateway is back', 'gateway not reached']);
    expect(outages.lost()).toHaveLength(1);
    clock.ms += 14_999;
    outages.settle();
    expect(lines).toHaveLength(3);
    clock.ms += 1;
    outages.settle();
    expect(lines.at(-1)).toMatchObject({ msg: 'gateway is back', ms: 74_800 });
    clock.ms += 60_000;
    outages.failed('gateway', 'ETIMEDOUT');
    outages.works('gateway');
    expect(lines).toHaveLength(6);
    expect(outages.lost()).toEqual([]);
    outages.failed('gateway', 'ETIMEDOUT');
    clock.ms += 60_000;
    outages.settle();
    expect(outages.lost()).toHaveLength(1);
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
    const { outages, clock } = setUp();
    for (let at = 100; at < 200; at++) {
      clock.ms += 60_000;
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
