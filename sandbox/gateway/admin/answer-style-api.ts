import express, { Router } from 'express';
import { type AnswerStyles, answerStyle } from '../faults/answer-style.ts';
import { reasonsOf } from '../messages/reasons.ts';

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
