import { once } from 'node:events';
import { get } from 'node:http';
import type { Response } from 'express';
import express from 'express';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { until } from '../../test/support/time/until.ts';
import { createLog } from '../base/log.ts';
import { createCsvSender, csvFileName, csvLine } from './csv.ts';

const cell = (value: string): string => csvLine([value]).slice(0, -2);
const inner = (shown: string): string => /^"(.*)"$/s.exec(shown)?.[1]?.replaceAll('""', '"') ?? shown;

describe('a cell', () => {
  const signs = '=+-@|%\t\r\n ;＝＋－＠﹢\ufeff\u200b\u202e';
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...signs, 'A', '1', '"', "'", ',') }),
  );

  it('begins no formula, whatever stands in it', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        if (/^-\d+$/.test(value)) return;
        const shown = cell(value);
        expect(shown === inner(shown) || /^"(?:[^"]|"")*"$/.test(shown)).toBe(true);
        for (const part of inner(shown).split(/[;\t\r\n]/)) {
          expect(part.normalize('NFKC')).not.toMatch(/^[\s\p{Cf}]*[=+\-@|%]/u);
        }
        const plain = (text: string): string => text.replaceAll("'", '').replaceAll(/[\u202e\ufffd]/g, '');
        expect(plain(inner(shown))).toBe(plain(value));
      }),
    );
  });

  it.each(['A-1001', '129.90', '-12.50', '-1', '2027-03-31T10:15:00.000Z', '', 'Zoë', '東京', 'a\u200db'])(
    'stays as it is: %s',
    (value) => expect(cell(value)).toBe(value),
  );

  it.each([
    ['-1+1', `"'-1+1"`],
    ['＝1', `"'＝1"`],
    ['\u200b=1', `"'\u200b=1"`],
    ['\ufeff@x', `"'\ufeff@x"`],
    ['A;=1', `"A;'=1"`],
    ['A\n+1', `"A\n'+1"`],
    ['A\u202e1\u202c', 'A\ufffd1\ufffd'],
  ])('does no harm: %j', (value, shown) => expect(cell(value)).toBe(shown));
});

it('a line ends as RFC 4180 has it', () => {
  expect(csvLine(['A', 'b,c', ''])).toBe('A,"b,c",\r\n');
});

type Pages = AsyncGenerator<string[][], void>;

/** A server that sends these pages as CSV, and what it says of them. */
async function sending(pages: (res: Response) => Pages) {
  const app = express();
  const told: string[] = [];
  const log = createLog('info', { write: (line) => void told.push(line) });
  const sendCsv = createCsvSender(log);
  app.get('/', async (_req, res) => {
    res.once('close', () => told.push('closed'));
    const name = csvFileName('orders', 'demo', new Date('2027-03-31T23:00:00Z'));
    await sendCsv(res, { account: 'demo', name, columns: ['a'] }, pages(res));
    told.push('begun');
  });
  const server = await serve(app);
  onTestFinished(server.close);
  return { url: server.url, told };
}

describe('a file', () => {
  it('has a name, a heading and every page', async () => {
    const { url } = await sending(async function* () {
      yield [['1'], ['2']];
      yield [];
      yield [['3']];
    });
    const answer = await fetch(url);
    expect(await answer.text()).toBe('a\r\n1\r\n2\r\n3\r\n');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="orders-demo-2027-03-31.csv"');
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-type')).toMatch(/^text\/csv/);
  });

  it('is read no faster than it is taken', async () => {
    const [pages, line] = [20, 'x'.repeat(2_000_000)];
    let waiting = 0;
    const { url } = await sending(async function* (res) {
      for (let page = 0; page < pages; page++) {
        waiting = Math.max(waiting, res.writableLength);
        yield [[line]];
      }
    });
    const [answer] = await once(get(url), 'response');
    let taken = 0;
    const slowly = setInterval(() => {
      taken += answer.read(65_536)?.length ?? answer.read()?.length ?? 0;
    }, 2);
    await once(answer, 'end');
    clearInterval(slowly);
    expect(taken).toBeGreaterThan(pages * line.length);
    expect(waiting).toBeLessThan(3 * line.length);
  });

  it('counts against a limit of concurrent files, which read pages in turn', async () => {
    let [reading, most] = [0, 0];
    const whole = Promise.withResolvers<void>();
    const { url } = await sending(async function* () {
      for (let page = 0; page < 3; page++) {
        most = Math.max(most, ++reading);
        await new Promise((done) => setTimeout(done, 5));
        reading--;
        yield [['1']];
      }
      await whole.promise;
    });
    const files = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await fetch(url)).status).toBe(429);
    whole.resolve();
    const texts = await Promise.all(files.map((file) => file.text()));
    expect(new Set(texts)).toEqual(new Set(['a\r\n1\r\n1\r\n1\r\n']));
    expect(most).toBe(1);
    await until('there is room again', async () => (await fetch(url)).ok);
  });

  it('is no more work once it has begun', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    const { url, told } = await sending(async function* () {
      yield [['1']];
      await held;
      yield [['2']];
    });
    const answer = await fetch(url);
    await until('it has begun', () => told.length > 0);
    expect(told).toEqual(['begun']);
    release();
    expect(await answer.text()).toBe('a\r\n1\r\n2\r\n');
  });

  it('is read no further once its reader is gone', async () => {
    let hasEnded = false;
    const { url, told } = await sending(async function* () {
      try {
        for (;;) yield [['1']];
      } finally {
        hasEnded = true;
      }
    });
    const gone = new AbortController();
    const { body } = await fetch(url, { signal: gone.signal });
    await body?.getReader().read();
    gone.abort();
    await until('no page is read any more', () => hasEnded);
    expect(told.filter((line) => line.includes('broken off'))).toEqual([]);
  });

  it('breaks off where a page cannot be read', async () => {
    const { url, told } = await sending(async function* () {
      yield [['1']];
      throw new TypeError('the store is down');
    });
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    await until('it is logged', () => told.some((line) => line.includes('broken off')));
  });
});
