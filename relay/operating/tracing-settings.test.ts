import { describe, expect, it } from 'vitest';
import { tracingSettings } from './tracing-settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const usual = { url: 'http://127.0.0.1:4318/v1/traces', sampling: { name: 'parentbased_always_on', ratio: 1 } };

it.each([
  ['nothing is set', {}],
  ['an empty endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['the exporter is none', { ...endpoint, OTEL_TRACES_EXPORTER: ' None' }],
  ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE ' }],
  ['the SDK is disabled, whatever else is wrong', { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'x' }],
])('traces nothing where %s', (_what, env) => {
  expect(tracingSettings(env)).toEqual({ settings: undefined, unusable: [] });
});

it.each([
  ['nothing else', endpoint, usual],
  ['a slash', { OTEL_EXPORTER_OTLP_ENDPOINT: ' https://c/a/ ' }, { url: 'https://c/a/v1/traces' }],
  ['its own address', { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/a/' }, { url: 'https://c/a/' }],
  ['the exporter alone', { OTEL_TRACES_EXPORTER: 'OTLP' }, { url: 'http://localhost:4318/v1/traces' }],
  ['empty values', { ...endpoint, OTEL_TRACES_SAMPLER: '', OTEL_SDK_DISABLED: '', OTEL_TRACES_EXPORTER: '' }, usual],
  ['its defaults', { ...endpoint, OTEL_SDK_DISABLED: 'False', OTEL_EXPORTER_OTLP_PROTOCOL: 'HTTP/JSON' }, usual],
  ['a sampler', { ...endpoint, OTEL_TRACES_SAMPLER: 'Always_On ' }, { sampling: { name: 'always_on', ratio: 1 } }],
  [
    'a share',
    { ...endpoint, OTEL_TRACES_SAMPLER: 'TraceIdRatio', OTEL_TRACES_SAMPLER_ARG: ' 0.25' },
    { sampling: { name: 'traceidratio', ratio: 0.25 } },
  ],
  [
    'an argument for another sampler',
    { ...endpoint, OTEL_TRACES_SAMPLER: 'always_off', OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://c' },
    { sampling: { name: 'always_off', ratio: 1 } },
  ],
])('traces to an endpoint with %s, without a warning', (_what, env, settings) => {
  expect(tracingSettings(env)).toMatchObject({ settings, unusable: [] });
});

const byShare = { ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };

const batches = {
  scheduledDelayMillis: 5000,
  exportTimeoutMillis: 30_000,
  maxQueueSize: 2048,
  maxExportBatchSize: 512,
};

it.each([
  ['nothing', {}, {}],
  ['the delay', { OTEL_BSP_SCHEDULE_DELAY: '0' }, { scheduledDelayMillis: 0 }],
  ['the time limit', { OTEL_BSP_EXPORT_TIMEOUT: ' 1500 ' }, { exportTimeoutMillis: 1500 }],
  ['the queue', { OTEL_BSP_MAX_QUEUE_SIZE: '100' }, { maxQueueSize: 100, maxExportBatchSize: 100 }],
  ['the size', { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048' }, { maxExportBatchSize: 2048 }],
])('gathers spans as OTEL_BSP_* say: %s', (_what, env, said) => {
  const { settings, unusable } = tracingSettings({ ...endpoint, ...env });
  expect(settings?.batches).toEqual({ ...batches, ...said });
  expect(unusable).toEqual([]);
});

it.each([
  ['the default', {}, 10_000],
  ['for all signals', { OTEL_EXPORTER_OTLP_TIMEOUT: '500' }, 500],
  ['for traces', { OTEL_EXPORTER_OTLP_TIMEOUT: '500', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '700' }, 700],
])('limits the time of the collector: %s', (_what, env, timeoutMillis) => {
  expect(tracingSettings({ ...endpoint, ...env })).toMatchObject({ settings: { timeoutMillis }, unusable: [] });
});

it.each([
  ['', true],
  ['TraceContext,Baggage', true],
  ['none', false],
  ['baggage', false],
])('by propagators %j continues traces: %j', (OTEL_PROPAGATORS, continues) => {
  expect(tracingSettings({ ...endpoint, OTEL_PROPAGATORS })).toMatchObject({ settings: { continues }, unusable: [] });
});

describe('an unusable value', () => {
  it.each([
    [
      'OTEL_EXPORTER_OTLP_HEADERS',
      'the other headers',
      ['x-key', 'a=1, authorization: Bearer pa55word', '=1', 'a=', 'a=%'],
    ],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'the other headers', ['pa55word']],
    ['OTEL_RESOURCE_ATTRIBUTES', 'none', ['a', 'a=1=2', 'a=1,b', '=1', 'a=%zz']],
  ])('among the pairs of %s leaves %s', (name, used, values) => {
    for (const value of values) {
      expect(tracingSettings({ ...endpoint, [name]: value }).unusable, value).toEqual([{ name, used }]);
    }
    for (const value of ['a=1', ' a = 1 , b=%20,', ',']) {
      expect(tracingSettings({ ...endpoint, [name]: value }).unusable, value).toEqual([]);
    }
  });

  it.each([
    ['b3', 'tracecontext'],
    ['b3,tracecontext', 'tracecontext'],
    ['b3,none', 'none'],
  ])('of propagators is ignored: %s', (OTEL_PROPAGATORS, used) => {
    const { settings, unusable } = tracingSettings({ ...endpoint, OTEL_PROPAGATORS });
    expect(settings?.continues).toBe(used === 'tracecontext');
    expect(unusable).toEqual([{ name: 'OTEL_PROPAGATORS', used }]);
  });

  it('of the compression of traces leaves that of all signals', () => {
    const [own, general] = ['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'OTEL_EXPORTER_OTLP_COMPRESSION'];
    const unusableOf = (env: Record<string, string>) => tracingSettings({ ...endpoint, ...env }).unusable;
    expect(unusableOf({ [own]: 'zstd', [general]: 'gzip' })).toEqual([{ name: own, used: 'gzip' }]);
    expect(unusableOf({ [own]: 'gzip', [general]: 'zstd' })).toEqual([]);
  });

  it.each([
    ['OTEL_SDK_DISABLED', 'false', { ...endpoint, OTEL_SDK_DISABLED: 'yes' }],
    ['OTEL_TRACES_EXPORTER', 'otlp', { ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['OTEL_TRACES_EXPORTER', 'otlp', { ...endpoint, OTEL_TRACES_EXPORTER: 'Console, OTLP' }],
    ['OTEL_TRACES_EXPORTER', 'otlp', { ...endpoint, OTEL_TRACES_EXPORTER: 'none,otlp' }],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' }],
    ['OTEL_TRACES_SAMPLER', 'parentbased_always_on', { ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_jaeger_remote' }],
    ['OTEL_TRACES_SAMPLER_ARG', '1', { ...byShare, OTEL_TRACES_SAMPLER_ARG: '2' }],
    ['OTEL_TRACES_SAMPLER_ARG', '1', { ...byShare, OTEL_TRACES_SAMPLER_ARG: 'half' }],
  ])('of %s is replaced by %s', (name, used, env) => {
    const { settings, unusable } = tracingSettings(env);
    expect(settings).toMatchObject({ url: usual.url, sampling: { ratio: 1 } });
    expect(unusable).toEqual([{ name, used }]);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10000', ['0', 'x', '2147483648']],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'none', ['GZIP', 'zstd']],
    ['OTEL_BSP_SCHEDULE_DELAY', '5000', ['-1', '1.5', '5s', '2147483648']],
    ['OTEL_BSP_EXPORT_TIMEOUT', '30000', ['0', 'never']],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '2048', ['0', 'Infinity']],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '512', ['0', '-512']],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '2048', ['2049']],
  ])('of %s leaves %s', (name, used, values) => {
    for (const value of values) {
      const { settings, unusable } = tracingSettings({ ...endpoint, [name]: value });
      expect(unusable, value).toEqual([{ name, used }]);
      expect(settings, value).toMatchObject({ timeoutMillis: 10_000, batches: { scheduledDelayMillis: 5000 } });
    }
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'no traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:pa55word@host' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'no traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    [
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'no traces',
      { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://x' },
    ],
    ['OTEL_TRACES_EXPORTER', 'none', { OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['OTEL_TRACES_EXPORTER', 'none', { ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin,none' }],
  ])('of %s turns traces off: %s', (name, used, env) => {
    expect(tracingSettings(env)).toEqual({ settings: undefined, unusable: [{ name, used }] });
  });
});
