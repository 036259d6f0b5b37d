import type { Finding } from '../../../shared/checkout/page.ts';

const LOADER = /^\/turnpike(-[0-9a-f]{16})?\.js$/;

/** All checkouts of a document, those in open shadow roots too. */
export function findCheckouts(root: Document | ShadowRoot): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) =>
    element.localName === 'turnpike-checkout' ? [element] : element.shadowRoot ? findCheckouts(element.shadowRoot) : [],
  );
}

/** The session of a checkout. Without the attribute it is in the address of the frame inside. */
export function sessionOf(checkout: HTMLElement): string {
  const [, secret = ''] = (checkout.querySelector('iframe')?.src ?? '').split('#');
  return checkout.getAttribute('session') || secret;
}

/** The findings about the page itself. `origin` is that of the checkout. */
export function checkPage(page: Window, origin: string): Finding[] {
  return [...checkPlace(page, origin), ...checkScripts(page.document, origin), ...checkElements(page.document)];
}

function checkPlace(page: Window, origin: string): Finding[] {
  const found: Finding[] = [];
  if (page.origin === 'null') {
    found.push({
      code: 'no_origin',
      message: 'This page has no origin: it is a file, or is in a frame that takes its origin away.',
      fix: 'Serve the page by https, and put allow-same-origin among the permissions of a frame around it.',
    });
  } else if (!page.isSecureContext) {
    found.push({
      code: 'insecure_page',
      message: `${page.location.origin} is not served by https: browsers keep from it what a payment needs.`,
      fix: `https://${page.location.host}`,
    });
  }
  if (page.location.protocol === 'https:' && new URL(origin).protocol === 'http:') {
    found.push({
      code: 'mixed_content',
      message: `This page is served by https, and the checkout by http from ${origin}: browsers block that.`,
      fix: `<script src="${origin.replace('http:', 'https:')}/turnpike.js" async></script>`,
    });
  }
  return found;
}

function checkScripts(document: Document, origin: string): Finding[] {
  const scripts = [...document.scripts].filter(({ src }) => LOADER.test(pathOf(src)));
  const found: Finding[] = [];
  if (scripts.length > 1) {
    found.push({
      code: 'loaded_twice',
      message: `The page loads turnpike.js ${scripts.length} times; only the first counts.`,
      fix: `Remove ${scripts
        .slice(1)
        .map(({ src }) => `<script src="${src}">`)
        .join(', ')}`,
    });
  }
  for (const { src, integrity, crossOrigin } of scripts) {
    if (!integrity) continue;
    if (crossOrigin === null) {
      found.push({
        code: 'crossorigin_missing',
        message: `The script element of ${src} has an integrity but no crossorigin: browsers refuse it from another site.`,
        fix: `<script src="${src}" integrity="${integrity}" crossorigin="anonymous" async></script>`,
      });
    }
    if (pathOf(src) === '/turnpike.js') {
      found.push({
        code: 'pinned_moving_script',
        message: `${src} has an integrity, but its content changes with every release: it would be refused then.`,
        fix: `Take the script element of ${origin}/embed.json, whose name changes with its content.`,
      });
    }
  }
  return found;
}

/** The path of an address. The attribute of a script may contain any other text, too. */
function pathOf(src: string): string {
  return src.replace(/^https?:\/\/[^/]*|[?#].*/g, '');
}

function checkElements(document: Document): Finding[] {
  const checkouts = findCheckouts(document);
  if (checkouts.length === 0) {
    return [
      {
        code: 'element_missing',
        message: 'There is no <turnpike-checkout> in the page, nor in an open shadow root of it.',
        fix: '<turnpike-checkout session="CLIENT_SECRET"></turnpike-checkout>',
      },
    ];
  }
  return checkouts.flatMap((checkout) => {
    const found: Finding[] = [];
    const session = sessionOf(checkout);
    if (!/^[^.]+\.[^.]+$/.test(session)) {
      found.push({
        code: session ? 'session_malformed' : 'session_missing',
        message: session
          ? 'The session attribute does not hold a client secret, which is two words with a dot between.'
          : 'A <turnpike-checkout> has no session attribute.',
        fix: `<turnpike-checkout session="CLIENT_SECRET">: the client_secret that POST /v1/sessions answers, not its id.`,
      });
    }
    if (/\bauto\b/.test(checkout.getAttribute('theme') ?? '') && contradicts(checkout)) {
      found.push({
        code: 'theme_not_followed',
        message:
          'The form is dark where the page has light text, and light where it has dark text. Here the text is hard to read on its ground.',
        fix: 'Give the checkout the color of the text around it: turnpike-checkout { color: … }; or name the theme: <turnpike-checkout theme="light">, or "dark".',
      });
    }
    if (!isSeen(checkout)) {
      found.push({
        code: 'element_hidden',
        message: 'A <turnpike-checkout>, or what is around it, is hidden or has no width.',
        fix: 'turnpike-checkout { display: block; visibility: visible; width: 100% }, and the same for what is around it.',
      });
    }
    return found;
  });
}

/** Whether the colour of the page's text suggests another background than the page has. */
function contradicts(element: HTMLElement): boolean {
  const theme = themeOfText(element);
  return theme !== undefined && (theme === 'dark') !== isDark(element);
}

function isSeen(element: HTMLElement): boolean {
  return element.getBoundingClientRect().width > 0 && getComputedStyle(element).visibility === 'visible';
}

/**
 * Whether the page is dark at an element: by the nearest background that is more than half opaque, otherwise by the colour of the
 * page's text.
 */
function isDark(place: Element): boolean {
  for (let node: Element | null = place; node; node = parentOf(node)) {
    const ground = read(place, getComputedStyle(node).backgroundColor);
    if ((ground[3] ?? 1) > 0.5) return !isLight(ground);
  }
  return isLight(read(place, getComputedStyle(place).color));
}

/** The theme that `auto` selects for the colour of the text at an element; undefined if the colour is neither light nor dark. */
function themeOfText(place: Element): 'light' | 'dark' | undefined {
  const [lightness = Number.NaN] = read(place, getComputedStyle(place).color, 'lab');
  if (lightness > 70) return 'dark';
  return lightness < 45 ? 'light' : undefined;
}

/** The numbers of a colour in a colour space: red, green and blue of sRGB from 0 to 1, and alpha if it is not opaque. */
function read(place: Element, colour: string, space = 'srgb'): number[] {
  const probe = place.ownerDocument.createElement('span');
  probe.hidden = true;
  place.after(probe);
  // A colour that is mixed with itself has this form, whatever its notation.
  probe.style.outlineColor = `color-mix(in ${space},${colour},${colour})`;
  const parts = getComputedStyle(probe).outlineColor.match(/\d[\d.e-]*/g) ?? [];
  probe.remove();
  return parts.map(Number);
}

function parentOf(node: Element): Element | null {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function isLight([red = 1, green = 1, blue = 1]: readonly number[]): boolean {
  return red * 0.3 + green * 0.6 + blue * 0.1 > 0.5;
}
