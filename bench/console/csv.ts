import { NotAnswered, type Person } from '../harness/person.ts';
import { type Aim, atMost, type Row } from '../harness/report.ts';
import { MAX_MS } from './screens.ts';

/** Reading of a CSV file stops after so many lines. */
const CSV_LINES = 100_000;

/** Measures the time until the first byte of a CSV file of many orders, and the rate of its lines. */
export async function measureCsv(title: string, person: Person): Promise<{ rows: Row[]; aims: Aim[] }> {
  const files = [
    ['all orders', '/v1/orders?'],
    ['paid orders', '/v1/orders?status=paid'],
    ['audit', '/v1/audit?limit=1000'],
  ] as const;
  const rows: Row[] = [];
  const begins: number[] = [];
  for (const [what, route] of files) {
    const { first_ms, lines, seconds } = await readCsv(person, route);
    begins.push(first_ms);
    rows.push({
      what: `${title}: CSV, ${what}`,
      figures: { 'first byte ms': first_ms, 'lines per s': lines / seconds, lines },
    });
  }
  return { rows, aims: [atMost(`${title}: first byte of a CSV file`, Math.max(...begins), MAX_MS, ' ms')] };
}

/** Reads a CSV file to its end, or its first `maxLines` lines. Throws NotAnswered. */
export async function readCsv(
  person: Person,
  route: string,
  maxLines = CSV_LINES,
): Promise<{ first_ms: number; lines: number; seconds: number }> {
  const start = performance.now();
  const headers = { ...person.headers(), accept: 'text/csv' };
  const { body, statusCode } = await person.pool.request({ method: 'GET', path: person.pathOf(route), headers });
  if (statusCode !== 200) throw new NotAnswered(`${route}: ${statusCode} ${await body.text()}`);
  let [first_ms, lines] = [0, 0];
  for await (const chunk of body) {
    if (first_ms === 0) first_ms = performance.now() - start;
    for (const byte of Buffer.from(chunk)) if (byte === 10) lines += 1;
    if (lines >= maxLines) break;
  }
  return { first_ms, lines, seconds: (performance.now() - start) / 1000 };
}
