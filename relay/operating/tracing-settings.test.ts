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

describe('an unusable value', () => {
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
