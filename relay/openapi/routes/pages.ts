import { sessionId } from '../../../shared/samples/ids.ts';
import { embeddingExamples } from '../examples/browser.ts';
import type { Answer, Parameter, RouteDoc } from '../route.ts';

const session: Parameter = { name: 'session_id', in: 'path', description: 'The session’s id.', example: sessionId };

const html = (status: number, description: string): Answer => ({
  status,
  description,
  content: { kind: 'text', type: 'text/html' },
});
const onwards = (description: string): Answer => ({
  status: 303,
  description,
  content: { kind: 'none' },
  headers: ['Location'],
});
const script = (cache: string): Answer => ({
  status: 200,
  description: `The script. ${cache}`,
  content: { kind: 'text', type: 'text/javascript' },
  headers: ['ETag', 'Cache-Control'],
});
const noSession = html(404, 'There is no such session; the page says so.');

const back: Omit<RouteDoc, 'method' | 'id'> = {
  path: '/return/{session_id}',
  tag: 'Browser',
  summary: 'The shopper is back',
  description:
    'Asks the gateway what became of the payment, then sends the shopper to the session’s `return_url` with `session`, `order_no` and `status`. Without a `return_url` it is a page that tells the status.',
  access: { kind: 'anybody' },
  parameters: [session],
  answers: [html(200, 'A page that tells the status.'), onwards('To the shop’s `return_url`.'), noSession],
  problems: ['not_found', 'store_unavailable'],
};

/** The pages and scripts that a shopper's browser loads. */
export const pageRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/checkout/{session_id}',
    id: 'checkoutPage',
    tag: 'Browser',
    summary: 'The form',
    description:
      'The page with the form, for the frame or by itself. Personal values need the client secret, which stands in the address’s fragment and never reaches a server. A form that changes its language asks for `application/json` and gets its texts alone.',
    access: { kind: 'anybody' },
    parameters: [
      session,
      { name: 'locale', in: 'query', description: 'The language to show it in.', example: 'pt-BR' },
      {
        name: 'theme',
        in: 'query',
        description:
          'One of `light`, `dark` and `auto`, and `compact` beside it or alone. In a frame, the form’s CSS variables may stand beside it by their names, `--turnpike-…`.',
        example: 'dark compact',
      },
    ],
    answers: [html(200, 'The page.'), noSession],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/checkout/{session_id}/issuer',
    id: 'issuerPage',
    tag: 'Browser',
    summary: 'To the issuer’s page',
    description:
      'Finds the issuer’s page of a payment that needs one, in the words of the shopper’s browser, and sends the shopper there. A page that answers the relay with an error is left to the browser.',
    access: { kind: 'anybody' },
    parameters: [
      session,
      {
        name: 'ticket',
        in: 'query',
        description: 'From `redirect_url`; it works for a quarter of an hour.',
        example: '1806488100000.Jx7TqLk2Vn9wRb4Z',
      },
    ],
    answers: [
      onwards(
        'To the issuer’s page, or into its app where `issuer.allow_schemes` lists it; back when the session no longer waits for it.',
      ),
      html(403, 'The ticket is wrong or too old; a page says so.'),
      noSession,
      html(502, 'The issuer’s address leads where nobody may be sent; a page says what to do.'),
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  { ...back, method: 'get', id: 'comeBack' },
  { ...back, method: 'post', id: 'comeBackByForm' },
  {
    method: 'get',
    path: '/turnpike.js',
    id: 'loader',
    tag: 'Browser',
    summary: 'The loader',
    description: 'The script that a shop’s page loads. It defines `<turnpike-checkout>`.',
    access: { kind: 'anybody' },
    answers: [script('Fresh for five minutes.')],
    problems: [],
  },
  {
    method: 'get',
    path: '/turnpike-doctor.js',
    id: 'doctor',
    tag: 'Browser',
    summary: 'The doctor',
    description:
      'What `Turnpike.doctor()` loads: it finds out why the checkout does not work on a page, and how to mend it.',
    access: { kind: 'anybody' },
    answers: [script('Fresh for five minutes.')],
    problems: [],
  },
  {
    method: 'get',
    path: '/checkout/doctor',
    id: 'doctorPage',
    tag: 'Browser',
    summary: 'The doctor’s hidden page',
    description:
      'A page without content that any page may hold in a frame. It asks about a session for the holder of its client secret.',
    access: { kind: 'anybody' },
    answers: [html(200, 'The page.')],
    problems: [],
  },
  {
    method: 'get',
    path: '/turnpike-{hash}.js',
    id: 'pinnedLoader',
    tag: 'Browser',
    summary: 'The loader, pinned',
    description:
      'The same script under a name that never changes its content, for use with `integrity`. The last ten builds’ are kept; the doctor’s has such a name too.',
    access: { kind: 'anybody' },
    parameters: [
      { name: 'hash', in: 'path', description: 'The hash, from `/embed.json`.', example: '0123456789abcdef' },
    ],
    answers: [script('It never changes.')],
    problems: ['not_found'],
  },
  {
    method: 'get',
    path: '/form/{file}',
    id: 'formScript',
    tag: 'Browser',
    summary: 'The form’s scripts',
    description: 'The scripts of the form inside the frame.',
    access: { kind: 'anybody' },
    parameters: [
      { name: 'file', in: 'path', description: 'The file’s name, from the page.', example: 'form-B1a2C3d4.js' },
    ],
    answers: [script('It never changes.')],
    problems: ['not_found'],
  },
  {
    method: 'get',
    path: '/logo/{file}',
    id: 'logo',
    tag: 'Browser',
    summary: 'An account’s logo',
    description: 'The image of an account’s `appearance.logo`, as the pages show it that are the relay’s own.',
    access: { kind: 'anybody' },
    parameters: [
      {
        name: 'file',
        in: 'path',
        description: 'The file’s name, from the page.',
        example: 'logo-0123456789abcdef.svg',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The image. It never changes.',
        content: { kind: 'text', type: 'image/svg+xml' },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['not_found'],
  },
  {
    method: 'get',
    path: '/embed.json',
    id: 'embedding',
    tag: 'Browser',
    summary: 'What a page needs to hold the form',
    description:
      'The script element with its integrity, the lines for your content security policy, and every script that takes part in a payment (PCI DSS 6.4.3).',
    access: { kind: 'anybody' },
    answers: [
      {
        status: 200,
        description: 'The inventory.',
        content: { kind: 'json', schema: 'Embedding', examples: embeddingExamples },
      },
    ],
    problems: [],
  },
];
