import { expect, it } from 'vitest';
import { ConfigError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { noTracer } from '../base/tracing.ts';
import { openTracing, tracingSettings } from './tracing.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

it.each([
  ['nothing is set', {}],
  ['an empty endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['the exporter is none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
  ['the SDK is disabled, whatever else is wrong', { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_SAMPLER: 'x' }],
])('traces nothing where %s', async (_what, env) => {
  expect(tracingSettings(env)).toBeUndefined();
  const { tracer } = await openTracing(env, 'relay-1', createLog('silent'));
  expect(tracer).toBe(noTracer);
});

it.each([
  ['an endpoint', endpoint, { name: 'parentbased_always_on', ratio: 1 }],
  ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/v1/traces' }, {}],
  ['the exporter alone', { OTEL_TRACES_EXPORTER: 'otlp' }, {}],
  [
    'a share',
    { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    { name: 'traceidratio', ratio: 0.25 },
  ],
])('traces by %s', (_what, env, settings) => {
  expect(tracingSettings(env)).toMatchObject(settings);
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:pa55word@host' }],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://pa55word' }],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['OTEL_TRACES_EXPORTER', { OTEL_TRACES_EXPORTER: 'zipkin' }],
  ['OTEL_TRACES_SAMPLER', { ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' }],
  ['OTEL_TRACES_SAMPLER_ARG', { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }],
  ['OTEL_TRACES_SAMPLER_ARG', { ...endpoint, OTEL_TRACES_SAMPLER_ARG: 'half' }],
])('refuses a wrong %s, and does not repeat it', (name, env) => {
  let problems: readonly string[] = [];
  try {
    tracingSettings(env);
  } catch (error) {
    if (error instanceof ConfigError) problems = error.problems;
  }
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name}: `));
  expect(problems[0]).not.toContain('pa55word');
});
