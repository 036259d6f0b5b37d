import express, { Router } from 'express';
import { z } from 'zod';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { type AnswerStyles, answerStyle } from '../faults/answer-style.ts';
import { type ArmedFaults, canStrike, faultNames } from '../faults/faults.ts';
import { type IssuerManners, mannerNames } from '../faults/issuer-manners.ts';
import { reasonsOf } from '../messages/reasons.ts';
import { notificationShapes } from '../notifications/notification-body.ts';
import type { Notifier } from '../notifications/notifier.ts';

/** What arms a fault: which one, for messages of which operation (all if left out), and for how many (one if left out). */
export const arming = z
  .strictObject({
    operation: z.enum([...operationNames, '*']).default('*'),
    fault: z.enum(faultNames),
    times: z.int().min(1).max(1000).default(1),
  })
  .refine(({ operation, fault }) => operation === '*' || canStrike(fault, operation), {
    path: ['operation'],
    error: 'This fault never strikes this operation',
  });

/** The shape of notifications to come. */
export const shaping = z.strictObject({ shape: z.enum([...notificationShapes, 'rotate']) });

/** Faults and notifications as JSON, for tests: what is armed, to arm and to clear; and the shape of notifications. */
export function faultApi({ armed, notifier }: { armed: ArmedFaults; notifier: Notifier }): Router {
  const router = Router();
  const json = express.json({ limit: '10kb' });

  router.get('/admin/faults', (_request, response) => void response.json({ faults: armed.list() }));
  router.post('/admin/faults', json, (request, response) => {
    const parsed = arming.safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: reasonsOf(parsed.error) });
    armed.arm(parsed.data);
    response.json({ faults: armed.list() });
  });
  router.delete('/admin/faults', (_request, response) => {
    armed.clear();
    response.json({ faults: [] });
  });

  router.get('/admin/notifications', (_request, response) => void response.json({ shape: notifier.shape }));
  router.put('/admin/notifications', json, (request, response) => {
    const parsed = shaping.safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: reasonsOf(parsed.error) });
    notifier.shape = parsed.data.shape;
    response.json({ shape: notifier.shape });
  });
  return router;
}

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

/** How answers are written, as JSON, for tests: to see and to choose. What is left out is as usual. */
export function answerStyleApi(styles: AnswerStyles): Router {
  const router = Router();
  router.get('/admin/answers', (_request, response) => void response.json(styles.current));
  router.put('/admin/answers', express.json({ limit: '10kb' }), (request, response) => {
    const parsed = answerStyle.safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: reasonsOf(parsed.error) });
    styles.current = parsed.data;
    response.json(styles.current);
  });
  return router;
}
