import express, { Router } from 'express';
import { z } from 'zod';
import { operationNames } from '../../../shared/gateway/operations.ts';
import type { ArmedFaults } from '../faults/armed-faults.ts';
import { canStrike, faultNames } from '../faults/faults.ts';
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
