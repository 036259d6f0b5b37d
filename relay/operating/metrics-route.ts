import { Router } from 'express';
import { Gauge, Registry } from 'prom-client';
import { bounded } from '../base/bounded.ts';
import type { Config } from '../config/load.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { processMetrics } from './process-metrics.ts';
import { storeMetrics } from './store-metrics.ts';

/** Scrapes cannot load the store, however many scrape and however often. */
const FIGURES = { withinMs: 2000, keepMs: 1000 };

/** What the configuration says that an operator must not forget. */
function configMetrics({ paused }: Config): Registry {
  const registry = new Registry();
  const help = '1 while nothing may be changed at the gateway, and no webhook is sent';
  new Gauge({ name: 'turnpike_paused', help, registers: [registry] }).set(paused ? 1 : 0);
  return registry;
}

/** `GET /metrics`: what this relay counted, how all relays on its store stand together, and how its process is. */
export function metricsRoute({ config, metrics, store, now }: Context): Router {
  const router = Router();
  const isUsable = bounded(() => store.check().then(() => true), FIGURES);
  const accounts = config.accounts.map(({ id }) => id);
  const figures = bounded(() => store.figures(now().toISOString(), accounts), FIGURES);
  const [ofProcess, ofConfig] = [processMetrics(), configMetrics(config)];
  addRoute(router, '/metrics', {
    get: [
      async (_req, res) => {
        const [usable, known] = await Promise.all([isUsable(), figures()]);
        const ofStore = storeMetrics({ isUp: usable === true && known !== undefined, figures: known }, now());
        const texts = await Promise.all(
          [metrics.registry, ofConfig, ofStore, ofProcess].map((registry) => registry.metrics()),
        );
        res.set({ 'Content-Type': ofProcess.contentType, 'Cache-Control': 'no-store' });
        res.send(texts.join('\n'));
      },
    ],
  });
  return router;
}
