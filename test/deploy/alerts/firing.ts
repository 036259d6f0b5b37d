import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/time/until.ts';
import { alertRules } from './alert-rules.ts';

/** The labels that Prometheus gives to the relay. */
const TARGET = 'job="turnpike",instance="relay-1:8101"';

/**
 * A phase of a relay's history. Gauges have the values of `scrape` for `minutes`. In each scrape, counters grow as much as they grew
 * from the phase before to this one.
 */
export type Phase = { scrape: string; minutes: number };

/**
 * Expects that an alert fires at the end of the last phase, and of no other phase. Prometheus scrapes every `every` minutes.
 */
export function expectFiring(alert: string, phases: readonly [Phase, Phase, ...Phase[]], every = 1): void {
  const rule = alertRules.find(({ name }) => name === alert)?.text ?? '';
  const ends = phases.map((_, at) => phases.slice(0, at + 1).reduce((sum, { minutes }) => sum + minutes, 0));
  const checks = ends.map((end, at) => ({
    expr: `group(ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time: `${end - every}m`,
    exp_samples: at === ends.length - 1 ? [{ labels: '{}', value: 1 }] : [],
  }));
  const tests = [{ interval: `${every}m`, input_series: seriesOf(rule, phases, every), promql_expr_test: checks }];
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const [rules, file] = [join(folder, 'rules.yml'), join(folder, 'tests.yml')];
  writeFileSync(rules, `groups:\n  - name: one\n    rules:\n      - ${rule}`);
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: `${every}m`, tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`${alert}: ${stdout}${stderr}`);
}

/** The text that Prometheus scrapes from a relay. */
export async function scrapeOf({ url }: { url: string }): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

/** The first scrape of a relay with a line that matches. */
export async function scrapeWith(relay: { url: string }, line: RegExp): Promise<string> {
  let scrape = '';
  await until(`a scrape has ${line}`, async () => {
    scrape = await scrapeOf(relay);
    return line.test(scrape);
  });
  return scrape;
}

/** The histories of all series that a rule uses. */
function seriesOf(rule: string, phases: readonly Phase[], every: number): { series: string; values: string }[] {
  const used = new Set(rule.match(/\b(?:turnpike|nodejs)_[a-z0-9_]+\b/g));
  const scrapes = phases.map(({ scrape, minutes }) => ({ values: valuesOf(scrape), count: minutes / every }));
  const names = new Set(scrapes.flatMap(({ values }) => [...values.keys()]));
  const up = { series: `up{${TARGET}}`, values: `1x${scrapes.reduce((sum, { count }) => sum + count, 0)}` };
  const histories = [...names]
    .filter((name) => used.has(name.split('{')[0] ?? ''))
    .map((name) => ({
      series: name.includes('{') ? name.replace('{', `{${TARGET},`) : `${name}{${TARGET}}`,
      values: historyOf(name, scrapes),
    }));
  return [up, ...histories];
}

/** The values of each series of a scrape. */
function valuesOf(scrape: string): Map<string, number> {
  const lines = scrape.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

function historyOf(name: string, scrapes: readonly { values: Map<string, number>; count: number }[]): string {
  const isCounter = /_(?:total|count|sum|bucket|offset)(?:\{|$)/.test(name);
  let [last, before]: (number | undefined)[] = [];
  const parts = scrapes.map(({ values, count }) => {
    const value = values.get(name);
    const wasThere = before !== undefined;
    if (value === undefined || Number.isNaN(value)) {
      before = undefined;
      return wasThere ? `stale _x${count - 1}` : `_x${count}`;
    }
    const step = isCounter && before !== undefined ? value - before : 0;
    const from = isCounter && last !== undefined ? last + step : value;
    last = from + step * (count - 1);
    before = value;
    return `${number(from)}+${number(step)}x${count - 1}`;
  });
  return parts.join(' ');
}

/** A number without an exponent, because promtool does not read exponents. */
function number(value: number): string {
  return value.toFixed(6);
}
