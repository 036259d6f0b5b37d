import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as OtelSpan } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import manifest from '../../package.json' with { type: 'json' };
import { mayHoldCard } from '../../shared/card-data/mask.ts';
import { within } from '../base/bounded.ts';
import { ConfigError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { noTracer, type Span, type SpanFields, type Tracer } from '../base/tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A tracer, and how what it has not sent yet is sent. */
type Tracing = { tracer: Tracer; close(): Promise<void> };

/** How long the end of the process may wait for a collector. */
const FLUSH_MS = 2000;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

type SamplerName = (typeof samplers)[number];

/** How traces are sampled, by the standard variables. */
type Sampling = { name: SamplerName; ratio: number };

/**
 * The sampling that OpenTelemetry's standard environment variables ask for; undefined where nothing is traced: no endpoint and
 * no exporter is set, or `OTEL_SDK_DISABLED` is true. Throws ConfigError that names the variable and never its value.
 */
export function tracingSettings(env: Environment): Sampling | undefined {
  const {
    OTEL_TRACES_EXPORTER: exporter = '',
    OTEL_TRACES_SAMPLER: sampler = '',
    OTEL_TRACES_SAMPLER_ARG: arg = '',
  } = env;
  const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].filter((name) => env[name]);
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return undefined;
  if (exporter === '' && endpoints.length === 0) return undefined;
  const name = samplers.find((one) => one === (sampler || 'parentbased_always_on'));
  const ratio = arg === '' ? 1 : Number(arg);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || '';
  const problems = [
    ...(['', 'otlp'].includes(exporter) ? [] : ['OTEL_TRACES_EXPORTER: must be otlp or none']),
    ...(['', 'http/json', 'http/protobuf'].includes(protocol)
      ? []
      : ['OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent by HTTP only, as http/json']),
    ...endpoints.filter((one) => !isHttpUrl(env[one])).map((one) => `${one}: must be an http or https URL`),
    ...(name ? [] : [`OTEL_TRACES_SAMPLER: must be one of ${samplers.join(', ')}`]),
    ...(ratio >= 0 && ratio <= 1 ? [] : ['OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1']),
  ];
  if (problems.length > 0 || !name) throw new ConfigError(problems);
  return { name, ratio };
}

function isHttpUrl(value = ''): boolean {
  return ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '');
}

/**
 * The tracer that the environment asks for, which sends its spans by OTLP over HTTP. Loads nothing where it asks for none.
 * Where the collector cannot be reached spans are dropped, and nothing waits. Throws ConfigError.
 * @param instance the relay's name among others
 */
export async function openTracing(env: Environment, instance: string, log: Logger): Promise<Tracing> {
  const sampling = tracingSettings(env);
  if (!sampling) return { tracer: noTracer, close: async () => undefined };
  const [api, core, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  // Its text may quote an address with a password.
  core.setGlobalErrorHandler(() => log.warn({}, 'traces not sent: the collector does not take them'));
  const own = { 'service.name': manifest.name, 'service.version': manifest.version, 'service.instance.id': instance };
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes(own))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: samplerOf(sampling, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const spans = provider.getTracer(manifest.name, manifest.version);
  const current = new AsyncLocalStorage<Context>();
  const now = (): Context => current.getStore() ?? api.ROOT_CONTEXT;

  const spanOf = (span: OtelSpan, around: Context): Span => ({
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
      const parent = typeof traceparent === 'string' ? core.parseTraceParent(traceparent) : null;
      const around = parent
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
        : api.ROOT_CONTEXT;
      return spanOf(spans.startSpan(method, { kind: api.SpanKind.SERVER }, around), around);
    },
    async work(name, fields, work, told) {
      const around = now();
      const span = spanOf(spans.startSpan(name, { attributes: shown(fields) }, around), around);
      try {
        const result = await span.run(work);
        span.end(told?.(result) ?? {});
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

/** The fields that have a value, without what may be a card number. */
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
