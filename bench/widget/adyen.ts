import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { page } from './pages.ts';

const root = join(import.meta.dirname, '../..');

/** A stub of Adyen's server, and what a shop serves for Adyen's Card. */
export type Adyen = {
  /** The address of the frames of the card's fields; the first frame has the number. */
  fields: string;
  /** The shop's page. */
  page: string;
  /** The shop's script and style sheet by path, compressed with Brotli. */
  files: ReadonlyMap<string, { type: string; body: Buffer }>;
  close(): void;
};

/** Builds the page with Adyen's Card as a shop would, and starts the stub. */
export async function startAdyen(): Promise<Adyen> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const api = `http://127.0.0.1:${port}/checkoutshopper`;
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: join(import.meta.dirname, 'adyen-page.ts') } },
  });
  const outputs = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  const script = outputs.find((output) => output.type === 'chunk' && output.isEntry);
  const style = outputs.find(({ fileName }) => fileName.endsWith('.css'));
  if (!script || !style) throw new Error('Adyen’s Card was built without script or styles');
  const head = `<script type="module" crossorigin src="/${script.fileName}"></script>
<link rel="stylesheet" crossorigin href="/${style.fileName}">`;
  return {
    fields: `${api}/securedfields`,
    page: page(head, `<div id="card" data-api="${api}/"></div>`),
    files: new Map(
      outputs.map((output) => [
        `/${output.fileName}`,
        {
          type: output.fileName.endsWith('.css') ? 'text/css' : 'text/javascript',
          body: brotliCompressSync(output.type === 'chunk' ? output.code : output.source),
        },
      ]),
    ),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers every request of the Card at once. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  const { pathname } = new URL(req.url ?? '/', 'http://adyen');
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'cache-control': 'public, max-age=31536000',
  };
  if (req.method === 'OPTIONS') return void res.writeHead(204, headers).end();
  const [type, text] = stubOf(pathname);
  const body = brotliCompressSync(text);
  res.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8`, 'content-encoding': 'br' }).end(body);
}

function stubOf(path: string): [type: string, text: string] {
  if (path.endsWith('/securedFields.html')) return ['text/html', FIELD];
  // The document of the fingerprint.
  if (path.endsWith('.html')) return ['text/html', '<!doctype html>'];
  if (path.endsWith('.svg')) return ['image/svg+xml', LOGO];
  return ['application/json', '{"checkoutAttemptId":"bench"}'];
}

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="26"><rect width="40" height="26" fill="#1434cb"/></svg>`;

/**
 * A stub of the document in the frame of one of Adyen's fields, because its script is not published. The page sends it the name of
 * the field; the stub sets up its input, and sends the answer that the page waits for.
 */
const FIELD = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Secured field</title>
<style>body{margin:0}input{width:100%;height:40px;border:0;font:16px system-ui,sans-serif}</style>
</head>
<body>
<input inputmode="numeric">
<script>
const input = document.querySelector('input');
const names = { encryptedCardNumber: 'cc-number', encryptedExpiryDate: 'cc-exp', encryptedSecurityCode: 'cc-csc' };
addEventListener('message', ({ data, origin, source }) => {
  const { fieldType, numKey } = JSON.parse(data);
  if (input.autocomplete || !names[fieldType]) return;
  input.autocomplete = names[fieldType];
  input.addEventListener('input', () => {});
  source.postMessage(JSON.stringify({ action: 'config', fieldType, numKey }), origin);
});
</script>
</body>
</html>
`;
