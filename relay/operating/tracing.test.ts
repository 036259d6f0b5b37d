import { expect, it } from 'vitest';
import { createLog } from '../base/log.ts';
import { noTracer } from '../base/tracing.ts';
import { openTracing } from './tracing.ts';

/** The tracer that an environment asks for, and the lines that it logs. */
async function opened(env: Record<string, string>) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { tracer } = await openTracing(env, 'relay-1', log);
  return { tracer, lines };
}

it('traces nothing where nothing asks for it', async () => {
  expect(await opened({})).toEqual({ tracer: noTracer, lines: [] });
});

it('starts with unusable values, and logs what is used instead', async () => {
  const { tracer, lines } = await opened({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'user:pa55word@host',
    OTEL_SDK_DISABLED: 'no',
  });
  expect(tracer).toBe(noTracer);
  const msg = 'a variable for traces has an unusable value';
  expect(lines).toMatchObject([
    { level: 'warn', name: 'OTEL_SDK_DISABLED', used: 'false', msg },
    { level: 'warn', name: 'OTEL_EXPORTER_OTLP_ENDPOINT', used: 'no traces', msg },
  ]);
  expect(JSON.stringify(lines)).not.toContain('pa55word');
});

it.each([
  ['continues', ''],
  ['continues', 'tracecontext'],
  ['begins', 'none'],
])('%s the trace of a request where propagators are %j', async (does, OTEL_PROPAGATORS) => {
  const { tracer } = await opened({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_PROPAGATORS });
  const theirs = '0af7651916cd43dd8448eb211c80319c';
  const { traceId } = tracer.request('GET', `00-${theirs}-b7ad6b7169203331-01`);
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(traceId === theirs).toBe(does === 'continues');
});
