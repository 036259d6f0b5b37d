import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Try } from './clients.ts';
import { firstTrouble } from './first-trouble.ts';
import { outcomeOf } from './outcome.ts';

const request = (at: number, more: Partial<Try> = {}): Try => ({
  ...{ kind: 'pay', at, ms: 10, status: 200, retryAfter: false },
  ...more,
});

const found = (tries: Try[], more: { wrong?: string[]; waiting?: string[] } = {}) => ({
  clients: { tries, failures: [{ kind: 'pay', at: 1500, code: '503 gateway_unreachable' }] },
  verdict: { wrong: more.wrong ?? [], waiting: more.waiting ?? [], replays: [] },
  window: { what: 'something breaks', from: 1000, to: 5000 },
  trouble: undefined,
  counts: { payments: 2, refunds: 1, webhooks: 4 },
  notes: ['a note'],
  wrong: [],
});

describe('the outcome of a rehearsal', () => {
  it('counts what clients saw since it broke', () => {
    const paid = { paid: 'approved' };
    const tries = [request(500), request(1100, paid), request(2000, { status: 503, code: 'gateway_unreachable' })];
    const { passed, lines } = outcomeOf({}, found([...tries, request(4100, paid)]));
    expect(passed).toBe(true);
    expect(lines).toEqual([
      'clients saw     pay 200 approved: 2, pay 503 gateway_unreachable: 1',
      'calls that failed after the client’s repetitions: pay 503 gateway_unreachable: 1',
      'payments were refused for 3.0 s (longest time without an approval)',
      'lost or twice   nothing: 2 payments, 1 refunds, 4 webhooks',
      'log said first  nothing',
      'a note',
    ]);
  });

  it('is failed where anything was lost', () => {
    const { passed, lines } = outcomeOf({}, found([], { wrong: ['A-1 is lost'], waiting: ['op_1 waits'] }));
    expect(passed).toBe(false);
    expect(lines).toContain('WRONG           A-1 is lost');
    expect(lines).toContain('for a person    op_1 waits');
  });

  it.each([
    [401, 'unauthorized', false],
    [0, 'ECONNRESET', false],
    [503, 'gateway_unreachable', false],
  ])('where no request may fail: %i %s', (status, code, passed) => {
    const tries = [request(1100, { status, code })];
    expect(outcomeOf({ noFailures: true }, found(tries)).passed).toBe(passed);
    expect(outcomeOf({}, found(tries)).passed).toBe(true);
  });
});

it('the first warning or error of all logs is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const logs = ['one.log', 'other.log'].map((name) => join(folder, name));
  const line = (level: string, second: number, msg: string, more: object = {}) =>
    `${JSON.stringify({ level, time: `2026-11-29T08:00:0${second}.000Z`, msg, ...more })}\n`;
  const [one = '', other = ''] = logs;
  writeFileSync(one, `${line('error', 1, 'before')}${line('info', 3, 'all is well')}${line('warn', 5, 'later')}`);
  const lost = line('error', 4, 'gateway not reached', { part: 'gateway', code: 'ECONNREFUSED' });
  writeFileSync(other, `turnpike-relay: not JSON\n${lost}`);
  const named = 'error “gateway not reached” gateway ECONNREFUSED';
  expect(firstTrouble(logs, new Date('2026-11-29T08:00:02.500Z'))).toBe(`${named}, 1.5 s after`);
  expect(firstTrouble(logs, new Date('2026-11-29T08:00:00Z'))).toBe(
    `error “before”, 1.0 s after; then ${named}, 4.0 s after`,
  );
  expect(firstTrouble(logs, new Date('2026-11-29T08:00:06Z'))).toBeUndefined();
});
