import { expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { hostileBodies } from '../../corpus/bodies.ts';
import { codeOf, faultOf, type RawAnswer, sendRaw } from '../../corpus/raw-request.ts';
import { leavesOf, type Target, targetsOf, withValue } from '../../corpus/routes.ts';
import { brokenLines, cardLike, hostileTexts } from '../../corpus/strings.ts';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { manyAttempts, startTestRelay } from '../../support/relays/relay.ts';

async function setUp() {
  const gateway = await scriptedGateway(obliging);
  const limits = { ...manyAttempts, attempts_per_session: 1_000_000 };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { limits, store: 'sqlite::memory:' } });
  const targets = await targetsOf(relay);
  const send = (target: Target, body: Buffer, headers: Readonly<Record<string, string | undefined>> = {}) =>
    sendRaw(`${relay.url}${target.path}`, {
      headers: { authorization: `Bearer ${target.bearer}`, 'content-type': 'application/json', ...headers },
      body,
    });
  const sendJson = (target: Target, body: unknown) => send(target, Buffer.from(JSON.stringify(body)));
  return { gateway, relay, targets, send, sendJson };
}

/**
 * One route of the API and one of the form get every hostile body. The others share their code and get one body for
 * each error code.
 */
const wholeOf = ['session', 'pay by card'];

function someBodies(turn: number) {
  return [...Map.groupBy(hostileBodies, ({ code }) => code).values()].flatMap((all) => all[turn % all.length] ?? []);
}

/** Returns the items in turn, and starts again after the last. */
function* turnsOf<One>(all: readonly One[]): Generator<One, never> {
  for (;;) yield* all;
}

/** What an answer must not do: accept the body, or show a card number. */
function shown({ status, text }: RawAnswer): string | undefined {
  return status >= 400 && text.includes(cardLike) ? 'the answer shows a card number' : undefined;
}

it('accepts the valid bodies that the hostile bodies are based on', async () => {
  const { targets, sendJson } = await setUp();
  for (const target of targets) {
    const { status, text } = await sendJson(target, target.body());
    expect([200, 201], `${target.name}: ${text}`).toContain(status);
  }
});

it('refuses every hostile body with its code, and sends nothing', async () => {
  const { gateway, relay, targets, send, sendJson } = await setUp();
  const before = gateway.received.length;
  const wrong: string[] = [];
  for (const [turn, target] of targets.entries()) {
    for (const { name, bytes, headers, code } of wholeOf.includes(target.name) ? hostileBodies : someBodies(turn)) {
      const answer = await send(target, bytes, headers);
      const fault = faultOf(answer) ?? shown(answer) ?? (codeOf(answer) === code ? undefined : String(codeOf(answer)));
      if (fault) wrong.push(`${target.name}, ${name}: ${fault}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(gateway.received).toHaveLength(before);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(relay.logLines.join('\n')).not.toContain(cardLike);
  for (const target of targets) expect((await sendJson(target, target.body())).status, target.name).toBeLessThan(300);
});

it('refuses prototype names anywhere in a body, without pollution', async () => {
  const { targets, send } = await setUp();
  const wrong: string[] = [];
  for (const target of targets) {
    const text = JSON.stringify(target.body());
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      for (const { index } of text.matchAll(/\{/g)) {
        const body = `${text.slice(0, index + 1)}"${name}":{"polluted":"yes"},${text.slice(index + 1)}`;
        const answer = await send(target, Buffer.from(body));
        if (answer.status !== 400 || !answer.text.includes(name))
          wrong.push(`${target.name}: ${body.slice(0, index + 40)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

it('treats hostile text as plain text, or refuses its field', async () => {
  const { gateway, relay, targets, sendJson } = await setUp();
  const wrong: string[] = [];
  const carried = turnsOf(hostileTexts.filter(({ isText }) => isText));
  const refused = turnsOf(hostileTexts.filter(({ isText }) => !isText));
  for (const target of targets) {
    for (const { path } of leavesOf(target.body())) {
      // In turn: every field of every route gets a text that it accepts and one that it refuses.
      for (const { name, text, isText } of [carried.next().value, refused.next().value]) {
        const body = target.body();
        const before = gateway.received.length;
        const answer = await sendJson(target, withValue(body, path, text));
        // A search precedes every refund.
        const sent = gateway.received
          .slice(before)
          .find((one) => target.name !== 'refund' || one.path === operations.refund.path);
        const fault =
          faultOf(answer) ??
          shown(answer) ??
          (answer.status >= 400
            ? isAbout(answer, path)
              ? undefined
              : answer.text
            : isText
              ? undefined
              : 'was taken') ??
          (sent && !contains(sent.message, text) ? 'the gateway got another text' : undefined);
        if (fault) wrong.push(`${target.name}, ${path}, ${name}: ${fault}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(relay.logLines.join('\n')).not.toContain(cardLike);
});

it('quotes no card number in the reason for refusing items', async () => {
  const { targets, sendJson } = await setUp();
  const items = [{ name: `${cardLike}#,`, code: cardLike, price: '1.00', quantity: 1 }];
  for (const target of targets.filter(({ body }) => JSON.stringify(body()).includes('"items":[{'))) {
    const body = target.body();
    const answer = await sendJson(
      target,
      'order' in body ? { order: { ...Object(body.order), items } } : { ...body, items },
    );
    expect(faultOf(answer) ?? shown(answer) ?? codeOf(answer), answer.text).toBe('invalid_request');
    expect(answer.text).toContain('items');
  }
});

it('refuses an order, payment or contract name with line breaks', async () => {
  const { targets, sendJson } = await setUp();
  const names = [
    'order_no',
    'transaction_id',
    'recurring_id',
    'orders',
    'trades',
    'refund_orders',
    'refund_references',
  ];
  const wrong: string[] = [];
  for (const target of targets) {
    const body = target.body();
    for (const { path, name } of leavesOf(body).filter((leaf) => names.includes(leaf.name))) {
      for (const line of brokenLines) {
        // The items of a batch need no order_no: an empty one counts as absent.
        if (line.text === '' && name === 'order_no' && /^\/v1\/(refund|review|capture|cancel)$/.test(target.path))
          continue;
        const answer = await sendJson(target, withValue(body, path, line.text));
        if (answer.status !== 400 || !isAbout(answer, path)) wrong.push(`${target.name}, ${name}, ${line.name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

it('acknowledges every notification that it can read', async () => {
  const { gateway, relay, targets, sendJson } = await setUp();
  for (const target of targets) await sendJson(target, withoutNotifyUrl(target.body()));
  const addresses = gateway.received
    .map(({ message }) => String(message.notify_url))
    .filter((url) => URL.canParse(url));
  const ours = new Set(addresses.filter((url) => url.startsWith(relay.url)).map((url) => url.split('/')[4]));
  expect([...ours].sort()).toEqual(['payment', 'payout']);
  for (const kind of ours) {
    const address = addresses.find((url) => url.includes(`/notify/${kind}/`)) ?? '';
    for (const { name, bytes, headers, code } of kind === 'payment' ? hostileBodies : someBodies(0)) {
      const answer = await sendRaw(address, { headers: { 'content-type': 'text/xml', ...headers }, body: bytes });
      if (code === 'body_too_large') expect(codeOf(answer), name).toBe(code);
      else if (headers?.['content-encoding']) expect(codeOf(answer), name).toBe('unsupported_media_type');
      else expect([answer.status, answer.text], name).toEqual([200, 'OK']);
    }
    const guessed = await sendRaw(`${address}x`, { body: Buffer.from('{}') });
    expect(faultOf(guessed) ?? codeOf(guessed)).toBe('not_found');
  }
  expect((await relay.get('/healthz')).status).toBe(200);
});

function withoutNotifyUrl({ notify_url: _, ...body }: Record<string, unknown>): object {
  return body;
}

/**
 * True when a refusal names the field at a path, or an object that contains it. For two inconsistent items it may
 * name the other one.
 */
function isAbout({ text }: RawAnswer, path: string): boolean {
  const problem: { errors?: { path: string }[]; code?: string } = JSON.parse(text);
  if (problem.code === 'operation_not_unknown') return true;
  const anyItem = (place: string): string => `${place}.`.replaceAll(/\.\d+\./g, '.0.');
  return (problem.errors ?? []).some((error) => error.path !== '' && anyItem(path).startsWith(anyItem(error.path)));
}

function contains(message: object, text: string): boolean {
  return JSON.stringify(message).includes(JSON.stringify(text).slice(1, -1));
}
