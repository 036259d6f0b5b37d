import { embeddingAnswer } from '../../shared/checkout/scripts.ts';
import { sessionId } from '../../shared/samples/ids.ts';
import { type Answer, type Example, json, type Parameter, type Route, type Routes, text } from './route.ts';

const session: Parameter = { name: 'session_id', in: 'path', description: 'The session’s id.', example: sessionId };

const ticket: Parameter = {
  name: 'ticket',
  in: 'query',
  description: 'The ticket from `redirect_url` or `continue_url`. It is valid for 15 minutes at most.',
  example: '1806488100000.Jx7TqLk2Vn9wRb4Z',
};

const html = (status: number, description: string): Answer => text(status, description, 'text/html');
const onwards = (description: string): Answer => ({
  status: 303,
  description,
  content: { kind: 'none' },
  headers: ['Location'],
});
const script = (cache: string): Answer =>
  text(200, `The script. ${cache}`, 'text/javascript', ['ETag', 'Cache-Control']);
const noSession = html(404, 'A page: there is no such session.');

const back = {
  path: '/return/{session_id}',
  summary: 'Receive a returning shopper',
  description:
    'Queries the gateway about the payment, then redirects the shopper to the session’s `return_url` with `session`, `order_no` and `status`: after eight seconds at the latest, with the status `redirected` while the gateway has no record of the payment. Without a `return_url` it returns a page with the status.',
  access: { kind: 'public' },
  parameters: [session],
  answers: [html(200, 'A page with the status.'), onwards('A redirect to the shop’s `return_url`.'), noSession],
  problems: ['not_found', 'store_unavailable'],
} as const satisfies Partial<Route>;

const embedding = {
  script:
    '<script src="https://pay.example/turnpike-0123456789abcdef.js" integrity="sha384-…" crossorigin="anonymous" async></script>',
  csp: ['script-src https://pay.example', 'frame-src https://pay.example'],
  scripts: [
    {
      url: 'https://pay.example/turnpike-0123456789abcdef.js',
      integrity: 'sha384-…',
      runs_in: 'page',
      purpose: 'puts the checkout’s frame into the shop’s page',
    },
    {
      integrity: 'sha256-…',
      runs_in: 'frame',
      purpose: 'reports the height of the form to the shop’s page',
    },
  ],
};

const embeddingExamples: Example[] = [{ name: 'inventory', summary: 'The inventory', value: embedding }];

/** The pages that a shopper's browser opens. */
export const pageRoutes = {
  checkoutPage: {
    method: 'get',
    path: '/checkout/{session_id}',
    summary: 'Show the form',
    description:
      'Returns the page with the form, for the frame or on its own. Personal values need the client secret, which is in the fragment of the address and never reaches a server. A form that changes its language requests `application/json`, and gets only its texts.',
    access: { kind: 'public' },
    parameters: [
      session,
      { name: 'locale', in: 'query', description: 'The language of the page.', example: 'pt-BR' },
      {
        name: 'theme',
        in: 'query',
        description:
          'One of `light`, `dark` and `auto`, and `compact` beside it or alone. In a frame, `no-button`, `no-heading` and `no-amount` leave that part of the form out, and the form’s CSS variables may stand beside it by their names, `--turnpike-…`.',
        example: 'dark compact',
      },
    ],
    answers: [html(200, 'The page.'), noSession],
    problems: ['not_found', 'store_unavailable'],
  },
  issuerPage: {
    method: 'get',
    path: '/checkout/{session_id}/issuer',
    summary: 'Send the shopper to the issuer',
    description:
      'Follows the `issuer_url` of a payment with the headers of the shopper’s browser, and redirects the shopper to the page that it leads to, even if that page answers the relay with an error.',
    access: { kind: 'public' },
    parameters: [session, ticket],
    answers: [
      onwards(
        'A redirect to the issuer’s page, or into its app if `issuer.allow_schemes` lists the scheme; or back, if the session no longer waits for a payment there.',
      ),
      html(403, 'A page that says what to do: the ticket is wrong or expired.'),
      noSession,
      html(502, 'A page that says what to do: the issuer’s address is not allowed.'),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  issuerCode: {
    method: 'get',
    path: '/checkout/{session_id}/issuer.svg',
    summary: 'Get a QR code of the way to the issuer',
    description:
      'A QR code of the address that redirects the shopper to the issuer, to continue a payment from a desktop on a phone. The form shows it.',
    access: { kind: 'public' },
    parameters: [session, ticket],
    answers: [text(200, 'The image. It is not kept.', 'image/svg+xml', ['Cache-Control'])],
    problems: ['not_found', 'store_unavailable'],
  },
  comeBack: { ...back, method: 'get' },
  comeBackByForm: { ...back, method: 'post' },
} as const satisfies Routes;

/** Scripts and images, and the values that a shop's page needs to allow them. */
export const scriptRoutes = {
  loader: {
    method: 'get',
    path: '/turnpike.js',
    summary: 'Load turnpike.js',
    description: 'The script that a shop’s page loads. It defines `<turnpike-checkout>`.',
    access: { kind: 'public' },
    answers: [script('Fresh for five minutes.')],
  },
  doctor: {
    method: 'get',
    path: '/turnpike-doctor.js',
    summary: 'Load the doctor',
    description:
      'The script that `Turnpike.doctor()` loads. It finds why the checkout does not work on a page, and how to correct it.',
    access: { kind: 'public' },
    answers: [script('Fresh for five minutes.')],
  },
  doctorPage: {
    method: 'get',
    path: '/checkout/doctor',
    summary: 'Load the doctor’s hidden page',
    description:
      'An empty page that every page may load in a frame. It requests a session for the holder of its client secret.',
    access: { kind: 'public' },
    answers: [html(200, 'The page.')],
  },
  pinnedLoader: {
    method: 'get',
    path: '/turnpike-{hash}.js',
    summary: 'Load a pinned turnpike.js',
    description:
      'The same script under a name whose content never changes, for use with `integrity`. The scripts of the last ten builds are kept. The doctor’s script has such a name too.',
    access: { kind: 'public' },
    parameters: [
      { name: 'hash', in: 'path', description: 'The hash, from `/embed.json`.', example: '0123456789abcdef' },
    ],
    answers: [script('It never changes.')],
    problems: ['not_found'],
  },
  formScript: {
    method: 'get',
    path: '/form/{file}',
    summary: 'Load a script of the form',
    description: 'The scripts of the form inside the frame.',
    access: { kind: 'public' },
    parameters: [
      { name: 'file', in: 'path', description: 'The file’s name, from the page.', example: 'form-B1a2C3d4.js' },
    ],
    answers: [script('It never changes.')],
    problems: ['not_found'],
  },
  formScriptAgain: {
    method: 'get',
    path: '/form/{again}/{file}',
    summary: 'Load a script of the form again',
    description:
      'The same script. Browsers keep it as failed when a script did not load, so the form tries another address of it, which also holds for the scripts that it imports.',
    access: { kind: 'public' },
    parameters: [
      { name: 'again', in: 'path', description: 'The number of the further try.', example: '1' },
      { name: 'file', in: 'path', description: 'The file’s name, from the page.', example: 'flow-B1a2C3d4.js' },
    ],
    answers: [script('It never changes.')],
    problems: ['not_found'],
  },
  logo: {
    method: 'get',
    path: '/logo/{file}',
    summary: 'Load an account’s logo',
    description: 'The image of an account’s `appearance.logo`, which the relay’s own pages show.',
    access: { kind: 'public' },
    parameters: [
      {
        name: 'file',
        in: 'path',
        description: 'The file’s name, from the page.',
        example: 'logo-0123456789abcdef.svg',
      },
    ],
    answers: [text(200, 'The image. It never changes.', 'image/svg+xml', ['Cache-Control'])],
    problems: ['not_found'],
  },
  embedding: {
    method: 'get',
    path: '/embed.json',
    summary: 'Read what a page needs for the form',
    description:
      'Returns the script element with its integrity, the lines for your content security policy, and every script of a payment (PCI DSS 6.4.3).',
    access: { kind: 'public' },
    answers: [json(200, 'The inventory.', embeddingAnswer, embeddingExamples)],
  },
} as const satisfies Routes;
