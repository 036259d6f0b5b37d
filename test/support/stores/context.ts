import { createIds } from '../../../relay/base/ids.ts';
import { createLog } from '../../../relay/base/log.ts';
import { createMetrics } from '../../../relay/base/metrics.ts';
import { createOutages } from '../../../relay/base/outages.ts';
import { createSharedWork } from '../../../relay/base/shared-work.ts';
import { noTracer } from '../../../relay/base/tracing.ts';
import { checkConfig } from '../../../relay/config/load.ts';
import { type Context, createLastAnswers, createWakeUps, momentOf } from '../../../relay/context/context.ts';
import { createSigner } from '../../../relay/gateway/signing/signer.ts';
import { metricLabels } from '../../../relay/operating/metric-labels.ts';
import { openStore } from '../../../relay/store/open.ts';

/** The context that all parts of the relay share, for a test of one part: a store in memory, and no gateway. */
export async function testContext(options: { account?: object; config?: object; now?: () => Date } = {}) {
  const now = options.now ?? (() => new Date());
  const monotonic = (): number => now().getTime();
  const processId = 'run_1';
  const config = checkConfig(
    {
      public_url: 'http://127.0.0.1:8080',
      store: 'sqlite::memory:',
      gateway: { base_url: 'http://127.0.0.1:8081' },
      accounts: [
        {
          id: 'demo',
          merchant_id: '100001',
          account_id: '200001',
          signing_secret: 'k3y-for-tests',
          allowed_origins: ['https://shop.example'],
          api_keys: [{ name: 'all', sha256: 'a'.repeat(64), scopes: ['*'] }],
          ...options.account,
        },
      ],
      ...options.config,
    },
    {},
  );
  const logLines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void logLines.push(line) });
  const context: Context = {
    config,
    store: await openStore(config.store),
    call: async () => ({ kind: 'not_sent' }),
    longCall: async () => ({ kind: 'not_sent' }),
    signer: await createSigner(config.gateway.profile.signing),
    log,
    metrics: createMetrics(metricLabels),
    outages: createOutages(log),
    tracer: noTracer,
    wakeUps: createWakeUps(),
    lastAnswers: createLastAnswers(),
    splitQueries: new Set(),
    queries: createSharedWork(),
    unsent: new Set(),
    begunLately: new Map(),
    keysToRelease: new Set(),
    rateBuckets: new Map(),
    retentionPlaces: new Map(),
    lateWrites: { add: () => undefined },
    requestLog: { add: () => undefined },
    newId: createIds(() => new Date()),
    now,
    ...{ monotonic, processId },
    started: momentOf({ now, monotonic, processId }),
  };
  return { ...context, logLines };
}
