import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND, pageText, withStatuses, withTransitions } from '../../docs/generate.ts';
import { transitions } from '../../relay/payments/transitions.ts';
import { eventTypes } from '../../shared/api/webhook.ts';
import { sessionStatuses } from '../../shared/checkout/status.ts';
import { readTree, relayLayering } from './layers.ts';

const root = join(import.meta.dirname, '../..');

describe('the table of transitions', () => {
  it('reaches every status from open', () => {
    const reached = new Set(['open']);
    for (const status of reached) for (const { from, to } of transitions) if (from === status) reached.add(to);
    expect([...reached].toSorted()).toEqual([...sessionStatuses].toSorted());
  });

  it('lets approved lead only to itself', () => {
    const left = transitions.filter(({ from }) => from === 'approved').map(({ to }) => to);
    expect(new Set(left)).toEqual(new Set(['approved']));
  });

  it.each(sessionStatuses.filter((status) => status !== 'approved'))('lets %s yield to a proven payment', (status) => {
    const proved = transitions.filter(({ from, to }) => from === status && to === 'approved').map(({ cause }) => cause);
    expect(proved).toEqual(expect.arrayContaining(['record_approved', 'answer_approved']));
  });

  it('lists no edge twice', () => {
    const edges = transitions.map(({ from, cause, to }) => `${from} ${cause} ${to}`);
    expect(edges.filter((edge, at) => edges.indexOf(edge) !== at)).toEqual([]);
  });

  it('sends only webhooks that shops know', () => {
    const sent = transitions.flatMap(({ webhook }) => (webhook === undefined ? [] : [webhook]));
    expect(sent.filter((type) => !eventTypes.includes(type))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('shows the current table', () => {
    expect(pageText('architecture'), `write it again: ${COMMAND}`).toBe(withTransitions(pageText('architecture')));
  });

  it('changes with each edge of the table', () => {
    for (const edge of transitions) {
      const others = transitions.filter((one) => one !== edge);
      expect(withTransitions(pageText('architecture'), others)).not.toBe(pageText('architecture'));
    }
  });

  it('names the layers in order', () => {
    const present = new Set(readdirSync(join(root, 'relay')));
    const rows = [...relayLayering.layers, relayLayering.wiring].map((row) => row.filter((name) => present.has(name)));
    const [, below = ''] = pageText('architecture').split('## Layers of the relay');
    const listed = [...below.matchAll(/^\| ((?:`[\w.-]+`(?:, )?)+) \|.*\|.*\|$/gm)]
      .map(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
      .slice(0, rows.length);
    expect(listed).toEqual(rows);
  });

  it('names functions that exist, each in its layer', () => {
    const text = pageText('architecture');
    const steps = [...text.matchAll(/^\| `(\w+)` \| `(\w+)\(\)` \|/gm)].map(([, layer, name]) => ({ layer, name }));
    expect(steps.length).toBeGreaterThan(10);
    const named = [...text.matchAll(/`(\w+)\(\)`/g)].map(([, name]) => ({ layer: '', name }));
    const relay = join(root, 'relay');
    const files = readTree(relay).map(({ path }) => ({ path, code: readFileSync(join(relay, path), 'utf8') }));
    const isThere = ({ layer = '', name }: { layer?: string | undefined; name: string | undefined }) =>
      files.some(
        ({ path, code }) =>
          path.startsWith(layer) && new RegExp(`^export (async )?function ${name}[(<]`, 'm').test(code),
      );
    expect([...steps, ...named].filter((step) => !isThere(step))).toEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...pageText('architecture').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([]);
  });
});

describe('docs/orders.md', () => {
  it('shows the current statuses of a payment', () => {
    expect(pageText('orders'), `write it again: ${COMMAND}`).toBe(withStatuses(pageText('orders')));
  });
});
