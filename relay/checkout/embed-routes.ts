import { type Response, Router } from 'express';
import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { addRoute } from '../http.ts';
import type { Asset, Assets } from './assets.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The scripts that a shop's page and the frame load, and what a shop must know to allow them (design 4.2). */
export function embedRoutes(context: Context, assets: Assets): Router {
  const router = Router();

  addRoute(router, '/turnpike.js', { get: [(_req, res) => sendScript(res, assets.loader, 'public, max-age=300')] });
  addRoute(router, `/${assets.loaderName}`, { get: [(_req, res) => sendScript(res, assets.loader, IMMUTABLE)] });

  addRoute(router, '/form/:file', {
    get: [
      (req, res) => {
        const file = assets.form.get(String(req.params.file));
        if (!file) throw new ProblemError('not_found', 'There is no such script.');
        sendScript(res, file, IMMUTABLE);
      },
    ],
  });

  addRoute(router, '/embed.json', {
    get: [(_req, res) => void res.set('Access-Control-Allow-Origin', '*').json(embedding(context, assets))],
  });

  return router;
}

function embedding(context: Context, assets: Assets): object {
  const origin = context.config.public_url;
  const src = `${origin}/${assets.loaderName}`;
  const { integrity } = assets.loader;
  return {
    script: `<script src="${src}" integrity="${integrity}" crossorigin="anonymous" async></script>`,
    csp: [`script-src ${origin}`, `frame-src ${origin}`],
    scripts: [
      { url: src, integrity, purpose: 'puts the checkout frame into the shop’s page' },
      ...[...assets.form].map(([file, { integrity }]) => ({
        url: `${origin}/form/${file}`,
        integrity,
        purpose: 'the payment form inside the frame',
      })),
    ],
  };
}

function sendScript(res: Response, asset: Asset, cacheControl: string): void {
  res.set({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': cacheControl,
    ETag: asset.etag,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  res.send(asset.body);
}
