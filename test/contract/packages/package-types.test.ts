import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../support/docs/doc-blocks.ts';
import { declarationsToo, resolutions, shopCode, shopWithPackage } from '../../support/docs/packed-client.ts';

/** Files of a shop. The compiler must report each line that ends with `// wrong`, and no other. */
const fixtures: Record<string, string> = {
  'page.ts': `import type { ChangeDetail, CheckoutElement, ResultDetail } from 'turnpike/browser';

const checkout = document.querySelector('turnpike-checkout');
checkout?.addEventListener('result', ({ detail }) => {
  const status: ResultDetail['status'] = detail.status;
  if (status === 'approved') location.assign(String(detail.order_no));
});
checkout?.addEventListener('click', (event) => event.clientX);
const made: CheckoutElement = document.createElement('turnpike-checkout');
made.variables = { '--turnpike-radius': '0' };
document.body.append(made);
const handle = window.Turnpike?.checkout({ session: 's', appearance: { theme: 'dark', compact: true } });
const show = (detail: ChangeDetail) => console.log(detail.brand);
handle?.on('change', show).off('change', show).mount('#pay').update({ locale: 'es' });
Turnpike?.doctor().then((found) => found.map(({ fix }) => fix));
checkout?.addEventListener('result', ({ detail }) => detail.stat); // wrong
made.variables = 'red'; // wrong
handle?.on('results', () => undefined); // wrong
handle?.on('error', ({ code }: { code: number }) => code); // wrong
checkout?.pay(); // wrong
Turnpike.doctor(); // wrong
`,
  'react.tsx': `import { useRef } from 'react';
import type { CheckoutElement } from 'turnpike/browser';
import type {} from 'turnpike/browser/react';

export function Pay() {
  const element = useRef<CheckoutElement>(null);
  return (
    <turnpike-checkout ref={element} session="s" theme="auto" className="pay" onresult={({ detail }) => detail.status}>
      <a href="/pay">Pay here</a>
    </turnpike-checkout>
  );
}
export const misspelt = <turnpike-checkout sesion="s" />; // wrong
export const deaf = <turnpike-checkout onresult={({ detail }) => detail.stat} />; // wrong
`,
  'preact.tsx': `/** @jsxImportSource preact */
import { createRef } from 'preact';
import type { CheckoutElement } from 'turnpike/browser';
import type {} from 'turnpike/browser/preact';

const element = createRef<CheckoutElement>();
export const pay = (
  <turnpike-checkout ref={element} session="s" theme="auto" class="pay" onresult={({ detail }) => detail.status}>
    <a href="/pay">Pay here</a>
  </turnpike-checkout>
);
export const misspelt = <turnpike-checkout sesion="s" />; // wrong
export const deaf = <turnpike-checkout onresult={({ detail }) => detail.stat} />; // wrong
`,
  'svelte.ts': `import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from 'turnpike/browser/svelte';

type Attributes = SvelteHTMLElements['turnpike-checkout'];
export const pay: Attributes = { session: 's', class: 'pay', onresult: ({ detail }) => detail.status };
export const misspelt: Attributes = { sesion: 's' }; // wrong
export const deaf: Attributes = { onresult: ({ detail }) => detail.stat }; // wrong
`,
  'vue.ts': `import type { GlobalComponents } from 'vue';
import type {} from 'turnpike/browser/vue';

type Component = InstanceType<GlobalComponents['turnpike-checkout']>;
type Props = Component['$props'];
export const pay: Props = { session: 's', class: 'pay', variables: {}, onResult: ({ detail }) => detail.status };
export const update = (component: Component) => component.update();
export const tell = (component: Component, event: CustomEvent<null>) => component.$emit('ready', event);
export const misspelt: Props = { sesion: 's' }; // wrong
export const deaf: Props = { onResult: ({ detail }) => detail.stat }; // wrong
`,
  'shop.ts': shopCode,
  'mistakes.ts': `import { createClient } from 'turnpike/client';

const turnpike = createClient({ url: 'https://pay.example', apiKey: 'k' });
await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: 12.5 } }); // wrong
await turnpike.refund({ refund_orders: [{ currency: 'BRL', amount: '1.00', refund_amount: '1.00' }] }); // wrong
await turnpike.query({ ordres: ['P-1'] }); // wrong
(await turnpike.sessions.get('cs_1')).staus; // wrong
`,
  'kit.ts': `import { checkoutOn, type Outcome, testCards } from 'turnpike/testing';
import type { Page } from 'playwright-core';

export async function pay(page: Page): Promise<Outcome> {
  const checkout = checkoutOn(page);
  await checkout.fill({ card: testCards.approved.number, expiry: '12/30' });
  await checkout.fill({ cardnumber: '' }); // wrong
  const outcome = await checkout.pay();
  if (outcome.status === 'unknown') outcome.told.trim(); // wrong
  return outcome;
}
`,
};

/** Files of a shop's server, compiled without browser types. */
const receiver = `import type { IncomingMessage } from 'node:http';
import { createVerifier, type Webhook, WebhookRefused } from 'turnpike/webhooks';

const verify = createVerifier({ secrets: ['old', 'new'], toleranceSeconds: 60 });
export async function receive(request: IncomingMessage, body: Buffer): Promise<string | undefined> {
  try {
    return paidOrder(await verify(body, request.headers));
  } catch (error) {
    if (error instanceof WebhookRefused && error.code === 'signature_wrong') return undefined;
    throw error;
  }
}
function paidOrder(webhook: Webhook): string | undefined {
  if (!webhook.known) return undefined;
  switch (webhook.type) {
    case 'session.approved':
      return webhook.data.order_no;
    case 'session.paid_twice':
      return webhook.data.transaction_ids[0];
    case 'operation.completed':
      return webhook.data.items[0]?.reference;
    case 'session.payed': // wrong
      return undefined;
    default:
      return webhook.id;
  }
}
export const wrong = async (given: Webhook) => (given.type === 'session.approved' ? given.data.order_no.trim() : ''); // wrong
export const parsed = verify({ type: 'session.approved' }, {}); // wrong
export const coded = (error: WebhookRefused) => error.code === 'wrong'; // wrong
`;

/** The entries of the package for pages, servers and tests. */
const libraries = ['@types/react', 'preact', 'svelte', 'vue', 'playwright-core', 'standardwebhooks'];

let made: ReturnType<typeof shopWithPackage> | undefined;

/** All tests share one shop, which takes long to create. */
async function shop() {
  made ??= shopWithPackage();
  return made;
}

/** Checks files in one run of the compiler and compares the reported lines with the marked ones. */
async function checkLines(files: Record<string, string>, ...settings: string[]): Promise<void> {
  const { write, check } = await shop();
  for (const [file, code] of Object.entries(files)) write(file, code);
  const { output } = await check(...settings, '--types', 'node', ...Object.keys(files));
  const found = [...output.matchAll(/^([^\s(]+)\((\d+),/gm)].map(([, file, line]) => `${file}:${line}`);
  const wrong = Object.entries(files).flatMap(([file, code]) =>
    code.split('\n').flatMap((line, at) => (line.endsWith('// wrong') ? [`${file}:${at + 1}`] : [])),
  );
  expect([...new Set(found)].toSorted(), output).toEqual(wrong.toSorted());
}

/** A stand-in for `@playwright/test`, which is installed in shops only. */
const runner = `import type { Page } from 'playwright-core';

export function test(name: string, run: (given: { page: Page }) => Promise<void>): void;
type Matchers = { toEqual(value: unknown): void; toMatchObject(value: object): void; toBe(value: unknown): void };
export function expect(value: unknown): Matchers & { toBeVisible(): Promise<void> };
`;

/** The examples of pages for shops, a file each. */
function documented(): Record<string, string> {
  const files = ['package/README.md', 'docs/testing.md'].flatMap((page) => {
    const examples = blocksOf(page).filter(({ language }) => language === 'ts');
    expect(examples.length).toBeGreaterThan(2);
    return examples.map(({ code, line }) => [`${basename(page, '.md')}-${line}.ts`, code] as const);
  });
  return Object.fromEntries(files);
}

describe('the types of the package', () => {
  it.each([
    ['nodenext', declarationsToo],
    // The declarations are the same.
    ['bundler', []],
  ] as const)('find errors in pages and frameworks, by %s', async (resolving, settings) => {
    const { folder, install } = await shop();
    for (const library of libraries) install(library);
    const installed = join(folder, 'node_modules/@playwright/test');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: '@playwright/test', types: './index.d.ts' }));
    writeFileSync(join(installed, 'index.d.ts'), runner);
    const files = { ...fixtures, ...documented() };
    await checkLines(files, ...resolutions[resolving], ...settings, '--jsx', 'react-jsx');
  });

  it('find errors in a webhook receiver without DOM types', () =>
    checkLines({ 'webhooks.ts': receiver }, ...resolutions.nodenext, ...declarationsToo, '--lib', 'es2022'));
});
