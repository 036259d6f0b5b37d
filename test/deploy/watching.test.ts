import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageText } from '../support/docs/doc-blocks.ts';
import { apiKey, card, order, startTestRelay } from '../support/relays/relay.ts';
import { startSandbox } from './sandbox.ts';

const folder = join(import.meta.dirname, '../../deploy');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const promtool = (...args: string[]): string => execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' });

/** A metric's name; for a histogram the names of its three series. */
const SERIES = /\b(?:turnpike|process|nodejs)_[a-z0-9_]+\b/g;

/** The alerts of the rules, by name. */
const alerts = [...textOf('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The metrics of a relay after a payment: the names of its series, and the label values. */
async function scraped(): Promise<{ names: Set<string>; text: string }> {
  const { url: gatewayUrl } = await startSandbox();
  const relay = await startTestRelay({ gatewayUrl });
  const paid = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
  expect(paid.body).toMatchObject({ status: 'approved' });
  for (const path of ['/healthz', '/readyz', '/metrics']) await relay.get(path);
  const { text } = await relay.get('/metrics');
  return { names: new Set([...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name ?? '')), text };
}

describe('the rules of the alerts', () => {
  it('are valid, with the settings that load them', () => {
    expect(promtool('check', 'config', 'prometheus.yml')).toContain(`${alerts.length} rules found`);
  });

  it('fire and stay silent as tested', () => {
    const tests = textOf('alerts-tests.yml');
    for (const alert of alerts) {
      expect(tests).toContain(`name: ${alert} fires\n`);
      expect(tests).toContain(`name: ${alert} stays quiet\n`);
    }
    expect(promtool('test', 'rules', 'alerts-tests.yml')).toContain('SUCCESS');
  });

  it('each have a row in the page about alerts', () => {
    const rows = pageText('docs/monitoring.md').match(/^\| `[A-Z][a-z].*$/gm) ?? [];
    const documented = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(documented.toSorted()).toEqual(alerts.toSorted());
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

  it('include every metric of the relay', async () => {
    const { text } = await scraped();
    const ours = [...text.matchAll(/^# TYPE (turnpike_\w+) /gm)].map(([, name]) => name ?? '');
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((name) => !textOf('grafana.json').includes(name))).toEqual([]);
  });
});
