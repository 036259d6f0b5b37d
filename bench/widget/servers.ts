import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { createLog } from '../../relay/base/log.ts';
import { checkConfig } from '../../relay/config/load.ts';
import { type Assets, loadAssets } from '../../relay/pages/assets.ts';
import { startRelay } from '../../relay/server.ts';
import { openStore } from '../../relay/store/open.ts';
import { relaySettings } from '../harness/settings.ts';
import { type Adyen, startAdyen } from './adyen.ts';
import { bareForm, barePage, bareScript, type Embedding, shopPage } from './pages.ts';

/** A form and how it is embedded in the shop's page. */
export type FormCase = { form: 'ours' | 'bare' | 'adyen'; embedding: Embedding };

/** A shop on localhost. The relay, the bare form and the stub of Adyen are on another site, 127.0.0.1. */
export type Servers = {
  /** Creates a new page of the shop, and with our form a new session. */
  newPage(formCase: FormCase): Promise<{ url: string; frameOrigin: string }>;
  close(): Promise<void>;
};

/** Starts all servers. `height` gives the height of the form's frame, for pages that contain it. */
export async function startServers(height: () => number): Promise<Servers> {
  const pages = new Map<string, string>();
  let adyen: Adyen | undefined;
  const shop = await listen((req, res) => {
    const file = adyen?.files.get(req.url ?? '');
    if (!file) return sendText(req.headers['accept-encoding'], res, pages.get(req.url ?? ''), 'html');
    const headers = {
      'content-type': file.type,
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000',
    };
    res.writeHead(200, headers).end(file.body);
  });
  const bare = await listen((req, res) => {
    const isScript = req.url === '/embed.js';
    sendText(req.headers['accept-encoding'], res, isScript ? bareScript : bareForm, isScript ? 'javascript' : 'html');
  });
  const shopUrl = shop.url.replace('127.0.0.1', 'localhost');
  const relay = await startForm(await loadAssets(join(import.meta.dirname, '../../dist')), shopUrl);

  return {
    async newPage({ form, embedding }) {
      const path = `/${pages.size}`;
      const url = `${shopUrl}${path}`;
      if (form === 'adyen') {
        adyen ??= await startAdyen();
        pages.set(path, adyen.page);
        return { url, frameOrigin: adyen.fields };
      }
      const isBare = form === 'bare';
      const session = isBare ? undefined : await relay.session();
      const formUrl = session?.url ?? `${bare.url}/form.html`;
      const frameOrigin = isBare ? bare.url : relay.url;
      if (embedding === 'of its own') return { url: formUrl, frameOrigin };
      pages.set(path, session ? shopPage(embedding, session, height()) : barePage(embedding, formUrl, height()));
      return { url, frameOrigin };
    },
    async close() {
      adyen?.close();
      await relay.stop();
      for (const { server } of [shop, bare]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const createdSession = z.object({ client_secret: z.string(), checkout_url: z.string() });
const embedFile = z.object({ script: z.string() });

/** Starts a relay, which serves our form. */
async function startForm(assets: Assets, shopUrl: string) {
  const settings = relaySettings({ store: 'sqlite::memory:', gatewayPort: 9, webhooks: 'kept', shopUrl });
  const config = checkConfig(settings, {});
  const log = createLog('silent', { write: () => {} });
  const relay = await startRelay({ config, store: await openStore(config.store), assets, log });
  const { script } = embedFile.parse(await (await fetch(`${relay.url}/embed.json`)).json());
  let orders = 0;
  return {
    ...relay,
    async session() {
      const order = { order_no: `W-${++orders}`, currency: 'BRL', amount: '129.90' };
      const answer = await fetch(`${relay.url}/v1/sessions`, {
        method: 'POST',
        headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
        body: JSON.stringify({ order }),
      });
      const { client_secret, checkout_url } = createdSession.parse(await answer.json());
      return { script, secret: client_secret, url: checkout_url };
    },
  };
}

async function listen(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server };
}

function sendText(accepts: unknown, res: Parameters<RequestListener>[1], text: string | undefined, type: string): void {
  if (text === undefined) return void res.writeHead(404).end();
  const zip = /gzip/.test(String(accepts));
  const headers = { 'content-type': `text/${type}; charset=utf-8`, 'cache-control': 'no-store' };
  res.writeHead(200, { ...headers, ...(zip && { 'content-encoding': 'gzip' }) }).end(zip ? gzipSync(text) : text);
}
