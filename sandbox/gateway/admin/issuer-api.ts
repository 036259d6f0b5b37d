import express, { Router } from 'express';
import { z } from 'zod';
import { type IssuerManners, mannerNames } from '../faults/issuer-manners.ts';
import { reasonsOf } from '../messages/reasons.ts';

/** The manner of the issuer for payments to come. */
export const choosing = z.strictObject({ manner: z.enum(mannerNames) });

/** The issuer's manner as JSON, for tests. */
export function issuerApi(issuers: IssuerManners): Router {
  const router = Router();
  router.get('/admin/issuer', (_request, response) => void response.json({ manner: issuers.chosen }));
  router.put('/admin/issuer', express.json({ limit: '10kb' }), (request, response) => {
    const parsed = choosing.safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: reasonsOf(parsed.error) });
    issuers.chosen = parsed.data.manner;
    response.json({ manner: issuers.chosen });
  });
  return router;
}
