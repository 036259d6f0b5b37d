import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as OtelSpan } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import manifest from '../../package.json' with { type: 'json' };
import { mayHoldCard } from '../../shared/card-data/mask.ts';
import { within } from '../base/bounded.ts';
import type { Logger } from '../base/log.ts';
import { noTracer, type SpanFields, type Tracer, type TraceSpan } from '../base/tracing.ts';
import type { Environment } from '../config/secrets.ts';
import { type Sampling, tracingSettings } from './tracing-settings.ts';

/** A tracer, and a function that sends the remaining spans. */
type Tracing = { tracer: Tracer; close(): Promise<void> };

/** How long the end of the process may wait for a collector. */
const FLUSH_MS = 2000;

/**
 * The tracer of the environment, which sends its spans by OTLP over HTTP. Without settings it loads no code. If the
 * collector cannot be reached, spans are dropped and the relay does not wait. Unusable values are logged.
 * @param instance the name of this relay among others
 */
export async function openTracing(env: Environment, instance: string, log: Logger): Promise<Tracing> {
  const { settings, unusable } = tracingSettings(env);
  for (const one of unusable) log.warn(one, 'a variable for traces has an unusable value');
  if (!settings) return { tracer: noTracer, close: async () => undefined };
  const { url, timeoutMillis, sampling, batches, continues } = settings;
  const [api, core, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  // The text of the error may quote an address with a password.
  core.setGlobalErrorHandler(() => log.warn({}, 'traces not sent: the collector does not take them'));
  const own = { 'service.name': manifest.name, 'service.version': manifest.version, 'service.instance.id': instance };
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: samplerOf(sampling, sdk),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ ...batches, exporter: new OTLPTraceExporter({ url, timeoutMillis }) }),
    ],
  });
  const spans = provider.getTracer(manifest.name, manifest.version);
  const current = new AsyncLocalStorage<Context>();
  const now = (): Context => current.getStore() ?? api.ROOT_CONTEXT;

  const spanOf = (span: OtelSpan, around: Context): TraceSpan => ({
    traceId: span.spanContext().traceId,
    run: (work) => current.run(api.trace.setSpan(around, span), work),
    end(fields, failed = false) {
      span.setAttributes(shown(fields));
      const { 'http.request.method': method, 'http.route': route } = fields;
      if (route !== undefined) span.updateName(`${method} ${route}`);
      if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end();
    },
  });
  const tracer: Tracer = {
    request(method, traceparent) {
      const parent = continues && typeof traceparent === 'string' ? core.parseTraceParent(traceparent) : null;
      const around = parent
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
        : api.ROOT_CONTEXT;
      return spanOf(spans.startSpan(method, { kind: api.SpanKind.SERVER }, around), around);
    },
    async work(name, fields, work, resultFields) {
      const around = now();
      const span = spanOf(spans.startSpan(name, { attributes: shown(fields) }, around), around);
      try {
        const result = await span.run(work);
        span.end(resultFields?.(result) ?? {});
        return result;
      } catch (error) {
        span.end({ 'error.type': error instanceof Error ? error.name : 'unknown' }, true);
        throw error;
      }
    },
  };
  const close = async (): Promise<void> =>
    void (await within(
      provider.shutdown().catch(() => undefined),
      FLUSH_MS,
    ));
  return { tracer, close };
}

/** The fields with values, without possible card numbers. */
function shown(fields: SpanFields): Record<string, string | number> {
  const written: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    written[name] = typeof value === 'string' && mayHoldCard(value) ? '[redacted]' : value;
  }
  return written;
}

function samplerOf({ name, ratio }: Sampling, sdk: typeof import('@opentelemetry/sdk-trace')): Sampler {
  const root = (): Sampler => {
    if (name.endsWith('always_on')) return new sdk.AlwaysOnSampler();
    return name.endsWith('always_off') ? new sdk.AlwaysOffSampler() : new sdk.TraceIdRatioBasedSampler(ratio);
  };
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root: root() }) : root();
}
