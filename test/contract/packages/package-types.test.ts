import { describe, expect, it, vi } from 'vitest';
import { resolutions, shopWithPackage } from '../../support/docs/packed-client.ts';

// Packing, and compilers that read whole libraries, take long on a machine that does other things beside.
vi.setConfig({ testTimeout: 120_000 });

/** A file of a shop: the compiler must refuse each line that ends with `// wrong`, and no other. */
type Fixture = { file: string; settings: string[]; libraries: string[]; code: string };

const fixtures: Record<string, Fixture> = {
  'a page': {
    file: 'page.ts',
    settings: [],
    libraries: [],
    code: `import type { ChangeDetail, CheckoutElement, ResultDetail } from 'turnpike/browser';

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
  },
  React: {
    file: 'react.tsx',
    settings: ['--jsx', 'react-jsx'],
    libraries: ['@types/react'],
    code: `import { useRef } from 'react';
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
  },
  Preact: {
    file: 'preact.tsx',
    settings: ['--jsx', 'react-jsx', '--jsxImportSource', 'preact'],
    libraries: ['preact'],
    code: `import { createRef } from 'preact';
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
  },
  Svelte: {
    file: 'svelte.ts',
    settings: [],
    libraries: ['svelte'],
    code: `import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from 'turnpike/browser/svelte';

type Attributes = SvelteHTMLElements['turnpike-checkout'];
export const pay: Attributes = { session: 's', class: 'pay', onresult: ({ detail }) => detail.status };
export const misspelt: Attributes = { sesion: 's' }; // wrong
export const deaf: Attributes = { onresult: ({ detail }) => detail.stat }; // wrong
`,
  },
  Vue: {
    file: 'vue.ts',
    settings: [],
    libraries: ['vue'],
    code: `import type { GlobalComponents } from 'vue';
import type {} from 'turnpike/browser/vue';

type Component = InstanceType<GlobalComponents['turnpike-checkout']>;
type Props = Component['$props'];
export const pay: Props = { session: 's', class: 'pay', variables: {}, onResult: ({ detail }) => detail.status };
export const update = (component: Component) => component.update();
export const tell = (component: Component, event: CustomEvent<null>) => component.$emit('ready', event);
export const misspelt: Props = { sesion: 's' }; // wrong
export const deaf: Props = { onResult: ({ detail }) => detail.stat }; // wrong
`,
  },
  'a webhook receiver': {
    file: 'webhooks.ts',
    settings: ['--lib', 'es2022', '--types', 'node'],
    libraries: [],
    code: `import type { IncomingMessage } from 'node:http';
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
`,
  },
};

let made: ReturnType<typeof shopWithPackage> | undefined;

/** One shop for all: it takes long to make. */
async function shop() {
  made ??= shopWithPackage();
  return made;
}

describe('the types of the package', () => {
  const cases = Object.entries(fixtures).flatMap(([name, fixture]) =>
    Object.entries(resolutions).map(([resolution, settings]) => [name, resolution, settings, fixture] as const),
  );
  it.each(cases)('tell right from wrong in %s, by %s', async (_name, _resolution, resolving, fixture) => {
    const { write, check, install } = await shop();
    for (const library of fixture.libraries) install(library);
    write(fixture.file, fixture.code);
    const types = fixture.settings.includes('--types') ? [] : ['--types', ''];
    const { output } = await check(...resolving, ...fixture.settings, ...types, fixture.file);
    const found = [...output.matchAll(/^([^\s(]+)\((\d+),/gm)].map(([, file, line]) => `${file}:${line}`);
    const wrong = fixture.code.split('\n').flatMap((line, at) => (line.endsWith('// wrong') ? [at + 1] : []));
    expect([...new Set(found)], output).toEqual(wrong.map((line) => `${fixture.file}:${line}`));
  });
});
