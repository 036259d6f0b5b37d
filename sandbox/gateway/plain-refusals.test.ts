import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parts } from '../demo.ts';
import { listen } from '../listen.ts';
import { plainTrouble } from './gateway.ts';

test('an internal failure is answered without its stack', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const app = express();
  app.get('/', () => {
    throw new TypeError('no rule for 4111111111111111');
  });
  app.use(plainTrouble);
  const server = await listen(app, 0, parts.gateway);
  onTestFinished(() => server.close());
  const response = await fetch(server.url);
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('The sandbox gateway failed; its terminal says why.');
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('no rule for 411111******1111'));
});
