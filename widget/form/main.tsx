import { hydrate } from 'preact';
import type { Boot } from '../../shared/checkout/view.ts';
import { hostedBridge, openBridge, type PageSettings, type Post, setTheme, setVariables } from './bridge.ts';
import { Checkout } from './checkout.ts';
import { needsParts, needsViews, type View } from './state.ts';
import './styles.css';
import { App } from './view/app.tsx';
import { inputId } from './view/field.tsx';

/**
 * Each import() is a separate statement: around one whose module is destructured at once, the build adds more code. The
 * build replaces the address of the module (`inlineEntry`).
 */
const chunks = {
  parts: (_: Again) => import('./parts/parts.tsx'),
  flow: (_: Again) => import('./flow/flow.tsx'),
  views: (_: Again) => import('./flow/views/views.tsx'),
  traits: (_: Again) => import('../device/traits.ts'),
  hosted: (_: Again) => import('./hosted/hosted.tsx'),
  texts: (_: Again) => import('./texts.ts'),
};

/** The folder of a further try. Browsers remember an address that failed to load, or whose imports did. */
type Again = '' | `${number}/`;

/** Starts the rendered form: keeps the input from before, and loads the session meanwhile. */
async function start(root: HTMLElement, boot: Boot): Promise<void> {
  const isHosted = window.parent === window;
  const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  let tries = 0;
  // The module of a chunk, requested up to twice; undefined if it cannot be loaded.
  const lazily = <Part,>(ask: (again: Again) => Promise<Part>): Promise<Part | undefined> =>
    ask('')
      .catch(() => ask(`${++tries}/`))
      .catch(() => undefined);
  const load = {
    parts: (view: View) => lazily(async (again) => (await chunks.parts(again)).partsFor(view)),
    flow: () => lazily(async (again) => (await chunks.flow(again)).flow),
    views: () => lazily(async (again) => (await chunks.views(again)).addViews(document)),
  };
  // An app makes its web view as high as the whole page.
  const sized = (isHosted && root.parentElement) || root;
  const height = () => Math.ceil(sized.getBoundingClientRect().height);
  const ready = () => ({ type: 'ready', height: height(), title: document.title }) as const;
  const [parts, flow, views, hosted] = await Promise.all([
    needsParts(boot.view) ? load.parts(boot.view) : undefined,
    needsViews(boot.view) ? load.flow() : undefined,
    needsViews(boot.view) ? load.views() : undefined,
    isHosted ? lazily(async (again) => (await chunks.hosted(again)).hosted) : undefined,
  ]);
  const checkout: Checkout = new Checkout(
    boot,
    {
      secret: location.hash.slice(1),
      loadFingerprint: () => lazily(async (again) => (await chunks.traits(again)).readFingerprint),
      accept: boot.accept,
      now: () => new Date(),
      wait,
      online: () => navigator.onLine,
      post: (message) => post(message),
      navigate: (url) => (isHosted ? goTo(location, url) : post({ type: 'navigate', url })),
      focus: (name) => document.getElementById(inputId(name))?.focus(),
    },
    load,
    { parts, flow, views },
  );
  const post: Post = isHosted
    ? hostedBridge(window)
    : openBridge(window, boot.allowed_origins, {
        ready,
        connected: follow,
        update: () => void checkout.refresh(),
        submit: () => void checkout.submit(),
      });

  let shownLocale: unknown = new URLSearchParams(location.search).get('locale');
  async function follow({ variables, theme, locale }: PageSettings): Promise<void> {
    setVariables(document.documentElement, variables);
    setTheme(document.documentElement, theme);
    if (typeof locale !== 'string' || !locale || locale === shownLocale) return;
    shownLocale = locale;
    const isWanted = () => shownLocale === locale;
    // The views include the styles of languages that are written from right to left.
    await checkout.awaitViews();
    const texts = await lazily(async (again) => (await chunks.texts(again)).loadTexts(document, locale, isWanted));
    if (texts) {
      checkout.setLocale(texts);
      post(ready());
    } else if (isWanted()) shownLocale = '';
  }

  // It is loaded while the form starts, and requested again by the parts that need it.
  chunks.flow('').catch(() => {});
  document.documentElement.classList.toggle('framed', !isHosted);
  // The server's drawing needs a part that did not load, so something else must be drawn.
  if (checkout.state.stage.name === 'incomplete') root.replaceChildren();
  hydrate(<App checkout={checkout} hosted={hosted} />, root);
  new ResizeObserver(() => post({ type: 'resize', height: height() })).observe(sized);
  hosted?.start(checkout);
  if (isHosted) post(ready());
  await checkout.start();
}

/** Leaves the page for an address of the relay. Any other address is refused, and the shopper keeps the link. */
function goTo(location: Location, url: string): void {
  const target = new URL(url, location.href);
  if (target.origin === location.origin) location.assign(target);
}

const root = document.getElementById('checkout');
if (root) void start(root, JSON.parse(document.getElementById('boot')?.textContent ?? ''));
