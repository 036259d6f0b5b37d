import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageText } from '../../support/docs/doc-blocks.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { testsAll } from '../../support/tests-all.ts';
import { startSandbox } from '../sandbox.ts';
import { alertRules } from './alert-rules.ts';

const folder = join(import.meta.dirname, '../../../deploy');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const promtool = (...args: string[]): string => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' });
const amtool = (...args: string[]): string =>
  execFileSync('amtool', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** A metric's name; for a histogram the names of its three series. */
const SERIES = /\b(?:turnpike|process|nodejs)_[a-z0-9_]+\b/g;

/** The name of an exporter's metric. */
const EXPORTED = /\b(?:node|pg|probe)_[a-z0-9_]+\b/g;

/** The metrics of a relay after a payment: the names of its series, and the label values. */
async function scraped(): Promise<{ names: Set<string>; text: string }> {
  const { url: gatewayUrl } = await startSandbox();
  const relay = await startTestRelay({ gatewayUrl });
  const paid = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
  expect(paid.body).toMatchObject({ status: 'approved' });
  const { secret } = await relay.session();
  expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
  for (const path of ['/healthz', '/readyz', '/metrics']) await relay.get(path);
  const { text } = await relay.get('/metrics');
  return { names: new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name ?? '')), text };
}

describe('the rules of the alerts', () => {
  it('are valid, with the settings that load them', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toContain(`${alertRules.length} rules found`);
  });

  it('have tests of when they fire and stay silent', () => {
    const tests = textOf('alerts-tests.yml');
    for (const { name } of alertRules) {
      expect(tests).toMatch(new RegExp(`name: ${name} fires\\b`));
      expect(tests).toContain(`name: ${name} stays quiet\n`);
    }
  });

  it.runIf(testsAll)('fire and stay silent as tested', () => {
    expect(promtool('test', 'rules', 'alerts-tests.yml')).toContain('SUCCESS');
  });

  it('each have a section that says what to do, where they lead', () => {
    const sections = pageText('docs/alerts.md').split(/^### /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual(alertRules.map(({ name }) => name));
    for (const [at, { name, text }] of alertRules.entries()) {
      expect(text).toContain(`runbook: docs/alerts.md#${name.toLowerCase()}\n`);
      const [, severity = ''] = /severity: (\w+)/.exec(text) ?? [];
      expect(sections[at]).toMatch(new RegExp(`^${severity}: `, 'm'));
      expect(sections[at]).toMatch(/^- \*\*Look at\*\*: [\s\S]+^- \*\*Do\*\*: /m);
    }
  });

  it('are sent to the receiver of their severity', () => {
    const config = 'alertmanager.yml';
    expect(amtool('check-config', config)).toContain('SUCCESS');
    const receiver = (severity: string) =>
      amtool('config', 'routes', 'test', `--config.file=${config}`, `severity=${severity}`);
    expect(receiver('page')).toBe('on-call\n');
    expect(receiver('ticket')).toBe('tickets\n');
    const named = [...textOf(config).matchAll(/alertname=~?"([\w|]+)"/g)].flatMap(([, names = '']) => names.split('|'));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !alertRules.some((rule) => rule.name === name))).toEqual([]);
  });

  it('are each tested with a relay in that state', () => {
    const tests = readdirSync(import.meta.dirname).filter(
      (name) => /\.test\.ts$/.test(name) && !name.startsWith('rules'),
    );
    const fired = tests.flatMap((name) => [
      ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/\bexpectFiring\('(\w+)'/g),
    ]);
    const made = alertRules.filter(({ text }) => /\b(?:turnpike|nodejs)_(?!backup)/.test(text));
    expect(new Set(fired.map(([, name]) => name))).toEqual(new Set(made.map(({ name }) => name)));
  });
});

describe('the metrics of alerts and dashboard', () => {
  it('are exported by a relay', async () => {
    const { names, text } = await scraped();
    // Written by backup.sh for the node exporter.
    for (const [, name = ''] of textOf('backup.sh').matchAll(/# TYPE (turnpike_\w+) /g)) names.add(name);
    for (const file of ['alerts.yml', 'grafana.json']) {
      const asked = new Set(textOf(file).match(SERIES));
      expect(asked.size, file).toBeGreaterThan(15);
      expect(
        [...asked].filter((name) => !names.has(name)),
        file,
      ).toEqual([]);
      const labels = [
        ...textOf(file).matchAll(
          /\b(outcome|result|reason|limit|operation|status|route)\\?"?(=~?|!~|!=)\\?"([\w/|]+)\\?"/g,
        ),
      ];
      expect(labels.length, file).toBeGreaterThan(3);
      for (const [, label, , values = ''] of labels) {
        // These appear only after failures.
        for (const value of values.split('|').filter((one) => one !== '5xx')) {
          expect(text, file).toContain(`${label}="${value}"`);
        }
      }
    }
  });

  it('of exporters are documented, and none else', () => {
    const [, table = ''] = /^### Metrics of exporters$([\s\S]+?)^##/m.exec(pageText('docs/monitoring.md')) ?? [];
    const asked = new Set(textOf('alerts.yml').match(EXPORTED));
    expect(asked.size).toBeGreaterThan(10);
    expect(new Set(table.match(EXPORTED))).toEqual(asked);
  });

  it('include every metric of the relay', async () => {
    const { text } = await scraped();
    const ours = [...text.matchAll(/^# TYPE (turnpike_\w+) /gm)].map(([, name]) => name ?? '');
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((name) => !textOf('grafana.json').includes(name))).toEqual([]);
  });
});
