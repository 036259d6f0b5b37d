import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { qrCode } from '../relay/base/qr-code.ts';
import type { Before } from './before.ts';
import type { Bundle } from './bundle.ts';
import { framePage } from './pages/frame-page.ts';
import { sheetPage, sheets } from './pages/sheet-page.ts';
import { wallPage } from './pages/wall-page.ts';

export type Gallery = { url: string; close(): Promise<void> };

/**
 * Serves the gallery on loopback, on a given port or any free one (0). With `before`, each picture is beside the
 * earlier one.
 */
export async function serveGallery({ script, css }: Bundle, port = 0, before?: Before): Promise<Gallery> {
  const wallScript = readFileSync(join(import.meta.dirname, 'pages/wall.js'), 'utf8');
  const pages: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', wallPage(before)],
    '/wall.js': ['text/javascript', wallScript],
    '/frame': ['text/html', framePage(css)],
    '/frame.js': ['text/javascript', script],
    '/issuer.svg': ['image/svg+xml', qrCode('https://pay.example/issuer')],
    ...(before && {
      '/before/frame': ['text/html', framePage(before.css)],
      '/before/frame.js': ['text/javascript', before.script],
    }),
    ...Object.fromEntries(sheets.map((sheet) => [`/${sheet.file}`, ['text/html', sheetPage(sheet)] as const])),
  };
  const server = createServer((req, res) => {
    const [type, body] = pages[new URL(req.url ?? '/', 'http://gallery').pathname] ?? [];
    const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' };
    if (body === undefined) res.writeHead(404).end();
    else res.writeHead(200, headers).end(body);
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the gallery has no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
