import { Router } from 'express';
import { ProblemError } from '../base/errors.ts';
import type { Logo } from '../config/appearance.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { IMMUTABLE } from './assets.ts';

/** Where a logo is served. */
export function logoPath({ file }: Logo): string {
  return `/logo/${file}`;
}

/** The logos of the accounts, each under a name that never changes its content. */
export function logoRoutes({ config }: Context): Router {
  const router = Router();
  const logos = new Map(config.accounts.flatMap(({ appearance: { logo } }) => (logo ? [[logo.file, logo]] : [])));
  addRoute(router, '/logo/:file', {
    get: [
      (req, res) => {
        const logo = logos.get(String(req.params.file));
        if (!logo) throw new ProblemError('not_found', 'There is no such logo, or no longer.');
        res.set({
          'Content-Type': logo.type,
          'Cache-Control': IMMUTABLE,
          // An SVG that is opened by itself is a document of this origin: it may run nothing.
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          'Cross-Origin-Resource-Policy': 'same-origin',
        });
        res.send(logo.body);
      },
    ],
  });
  return router;
}
