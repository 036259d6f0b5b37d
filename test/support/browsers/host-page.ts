import { startStack } from '../relays/stack.ts';

/** A page of the shop: the content of its body and head, and its content security policy. */
type HostPage = { body: string; head?: string; csp?: string };

/** The strictest policy under which a page can contain the checkout. */
export const strictPolicy = (relayUrl: string) =>
  `default-src 'none'; script-src 'self' ${relayUrl}; frame-src ${relayUrl}; style-src 'self'; img-src data:`;

/**
 * Lists the events of the checkouts in the page's HTML, each line with the checkout's id before it. It runs before the
 * loader, so that it misses no event. Other checkouts need `listen`.
 */
const listing = `
const types = ['ready', 'change', 'submit', 'result', 'error'];
function list({ id }, type, detail) {
  const line = document.createElement('li');
  line.textContent = [id, type, detail ? JSON.stringify(detail) : ''].join(' ').trim();
  document.querySelector('#events').append(line);
}
function listen(checkout) {
  for (const type of types) checkout.addEventListener(type, ({ detail }) => list(checkout, type, detail));
}
let listed;
document.addEventListener('DOMContentLoaded', () => {
  listed = new WeakSet(document.querySelectorAll('turnpike-checkout'));
});
for (const type of types) {
  const onEvent = ({ target, detail }) => {
    if (target.localName === 'turnpike-checkout' && (!listed || listed.has(target))) list(target, type, detail);
  };
  document.addEventListener(type, onEvent, true);
}
`;

/**
 * Sandbox gateway and relay, and a shop whose pages a test writes. The pages are on `localhost` and the relay on
 * `127.0.0.1`: another site, as in production.
 */
export async function startHost(options: Parameters<typeof startStack>[0] = {}) {
  const files = new Map<string, { type: string; text: string; csp?: string | undefined }>();
  const stack = await startStack({
    ...options,
    createShop: () => ({
      app: (req, res) => {
        const file = files.get(new URL(req.url ?? '/', 'http://shop.example').pathname);
        if (!file) return void res.writeHead(404).end();
        res.setHeader('Content-Type', `${file.type}; charset=utf-8`);
        if (file.csp !== undefined) res.setHeader('Content-Security-Policy', file.csp);
        res.end(file.text);
      },
    }),
  });
  const origin = stack.shopUrl.replace('127.0.0.1', 'localhost');
  return {
    ...stack,
    /** The element that loads the checkout. */
    loader: `<script src="${stack.relay.url}/turnpike.js" async></script>`,
    /**
     * Makes the shop serve a page, and returns its address. Its scripts, which follow the body, can use a function
     * `listen(checkout)` and a list of all received events, `#events`.
     */
    put({ body, head = '', csp }: HostPage, script = ''): string {
      const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><script src="/listing.js"></script>${head}</head>
<body>${body}<ol id="events"></ol><script src="/shop.js" defer></script></body></html>`;
      files.set('/', { type: 'text/html', text, csp });
      files.set('/listing.js', { type: 'text/javascript', text: listing });
      files.set('/shop.js', { type: 'text/javascript', text: script });
      return `${origin}/`;
    },
  };
}
