import { hydrate } from 'preact';
import type { Boot } from '../../shared/checkout/view.ts';
import { type Bridge, hostedBridge, openBridge, type Wishes } from './bridge.ts';
import { Checkout } from './checkout.ts';
import { needsFlow, needsParts } from './parts.ts';
import { goTo, setTheme, setVariables } from './shell.ts';
import type { View } from './state.ts';
import './styles.css';
import { App } from './view/app.tsx';
import { inputId } from './view/field.tsx';

const DRAWN_MS = 300;

/** Brings the rendered form to life: what was typed before is kept, and the session is looked at beside. */
async function start(root: HTMLElement, boot: Boot): Promise<void> {
  const hosted = window.parent === window;
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const load = {
    parts: (view: View) => lazily(async () => (await import('./parts/parts.ts')).partsFor(view)),
    flow: () => lazily(async () => (await import('./flow/flow.ts')).flow),
  };
  const height = () => Math.ceil(root.getBoundingClientRect().height);
  const [parts, flow] = await Promise.all([
    needsParts(boot.view) ? load.parts(boot.view) : undefined,
    needsFlow(boot.view) ? load.flow() : undefined,
    // What the server drew is to be seen first: to bring it to life takes a slow device longer. A hidden page is not drawn.
    performance.getEntriesByType('paint').length ||
      Promise.race([new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))), wait(DRAWN_MS)]),
  ]);
  const checkout: Checkout = new Checkout(
    boot,
    {
      secret: location.hash.slice(1),
      loadDevice: () =>
        lazily(async () => {
          const { DeviceReader } = await import('../device/device.ts');
          return new DeviceReader(window, () => import('../device/slow.ts'));
        }),
      now: () => new Date(),
      wait,
      online: () => navigator.onLine,
      post: (message) => bridge.post(message),
      navigate: (url) => (hosted ? goTo(location, url) : bridge.post({ type: 'navigate', url })),
      focus: (name) => document.getElementById(inputId(name))?.focus(),
    },
    load,
    { parts, flow },
  );
  const bridge: Bridge = hosted
    ? hostedBridge(window)
    : openBridge(window, boot.allowed_origins, {
        height,
        connected: follow,
        update: () => void checkout.refresh(),
        submit: () => void checkout.submit(),
      });

  let spoken: unknown = new URLSearchParams(location.search).get('locale');
  async function follow({ variables, theme, locale }: Wishes): Promise<void> {
    setVariables(document.documentElement, variables);
    setTheme(document.documentElement, theme);
    if (typeof locale !== 'string' || !locale || locale === spoken) return;
    spoken = locale;
    const texts = await lazily(async () => (await import('./texts.ts')).loadTexts(location.pathname, locale));
    if (!texts || spoken !== locale) return;
    const { lang, dir } = texts;
    Object.assign(document.documentElement, { lang, dir });
    checkout.speak(texts);
  }

  document.documentElement.classList.toggle('framed', !hosted);
  // What the server drew needs a part that did not come: something else is to be drawn.
  if (checkout.state.stage.name === 'incomplete') root.replaceChildren();
  hydrate(<App checkout={checkout} hosted={hosted} />, root);
  new ResizeObserver(() => bridge.post({ type: 'resize', height: height() })).observe(root);
  if (hosted) bridge.post({ type: 'ready', height: height() });
  await checkout.start();
}

/** What a chunk gives, asked for twice; undefined where it cannot be had. */
function lazily<Part>(load: () => Promise<Part>): Promise<Part | undefined> {
  return load()
    .catch(load)
    .catch(() => undefined);
}

const root = document.getElementById('checkout');
if (root) void start(root, JSON.parse(document.getElementById('boot')?.textContent ?? ''));
