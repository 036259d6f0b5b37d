import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { approving, type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { bodyOf, serve } from '../../support/http/http-server.ts';
import { startReceiver, webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { tcpServer } from '../../support/http/tcp-server.ts';
import { account, apiKey, card, order } from '../../support/relays/relay.ts';
import { spawnRelay } from '../../support/relays/relay-process.ts';

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() }),
});
const spanSchema = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(attribute),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.looseObject({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(spanSchema) })),
    }),
  ),
});

const valuesOf = (attributes: z.infer<typeof attribute>[]): Record<string, string | number | undefined> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** A collector of OTLP over HTTP as JSON, for one test. */
async function startCollector() {
  const bodies: string[] = [];
  const asked: { path: string | undefined; key: string | string[] | undefined }[] = [];
  const server = await serve(async (req, res) => {
    asked.push({ path: req.url, key: req.headers['x-key'] });
    bodies.push(await bodyOf(req));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  onTestFinished(server.close);
  const parsed = () => bodies.flatMap((body) => exported.parse(JSON.parse(body)).resourceSpans);
  return {
    url: server.url,
    asked,
    text: () => bodies.join('\n'),
    resource: () => valuesOf(parsed()[0]?.resource.attributes ?? []),
    spans: () =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, ...span }) => ({ ...span, attributes: valuesOf(attributes) })),
  };
}

/** A relay as a process, and a client of its API. */
async function setUp(env: Record<string, string>, options: { config?: object; script?: Script } = {}) {
  const traceparents: unknown[] = [];
  const script = options.script ?? approving;
  const gateway = await scriptedGateway((received, res, req) => {
    traceparents.push(req.headers.traceparent);
    script(received, res, req);
  });
  const relay = spawnRelay({ gatewayUrl: gateway.url, env, ...(options.config ? { config: options.config } : {}) });
  const url = await relay.listening();
  const post = async (path: string, bearer: string, body: object, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) });
    return z.record(z.string(), z.unknown()).parse(await answer.json());
  };
  const pay = async (headers: Record<string, string> = {}) => {
    const { client_secret, order_no } = await post('/v1/sessions', apiKey, { order: order() });
    const answer = await post('/checkout/api/pay', String(client_secret), card, headers);
    return { answer, secret: String(client_secret), orderNo: String(order_no) };
  };
  const stop = async (): Promise<number | null> => {
    relay.child.kill('SIGTERM');
    return relay.exited;
  };
  return { relay, url, post, pay, stop, gateway, traceparents };
}

const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('traces', () => {
  it('of a payment continue the caller’s trace, without card data', async () => {
    const collector = await startCollector();
    const receiver = await startReceiver();
    const relay = await setUp(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        TURNPIKE_INSTANCE: 'relay-1',
      },
      { config: withReceiver(receiver.url) },
    );
    const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;
    const { answer, secret, orderNo } = await relay.pay({ traceparent });
    expect(answer).toMatchObject({ status: 'approved' });
    await receiver.one('session.approved');
    expect((await fetch(`${relay.url}/healthz`)).status).toBe(200);
    // Unsent spans are sent before the process ends.
    expect(await relay.stop()).toBe(0);

    expect(collector.asked[0]).toEqual({ path: '/v1/traces', key: 'of-the-collector' });
    expect(collector.resource()).toMatchObject({
      'service.name': 'turnpike-relay',
      'service.version': manifest.version,
      'service.instance.id': 'relay-1',
      'deployment.environment.name': 'test',
    });
    const spans = collector.spans();
    const paid = spans.filter(({ traceId }) => traceId === parent.traceId);
    const request = paid.find(({ parentSpanId }) => parentSpanId === parent.spanId);
    expect(request).toMatchObject({
      name: 'POST /checkout/api/pay',
      kind: 2,
      attributes: { 'http.route': '/checkout/api/pay', 'http.response.status_code': 200 },
    });
    const children = paid.filter((span) => span !== request);
    expect(children.map(({ parentSpanId }) => parentSpanId)).toEqual(children.map(() => request?.spanId));
    expect(children.map(({ name }) => name)).toEqual(['store commit', 'gateway direct_payment', 'store commit']);
    expect(children[1]?.attributes).toEqual({
      'turnpike.operation': 'direct_payment',
      'turnpike.order_no': orderNo,
      'turnpike.result': 'answer',
      'http.response.status_code': 200,
    });
    const delivery = spans.find(
      ({ name, attributes }) => name === 'webhook delivery' && attributes['turnpike.event_type'] === 'session.approved',
    );
    expect(delivery?.attributes).toMatchObject({ 'turnpike.result': 'delivered' });
    expect(spans.filter(({ name }) => name.includes('healthz'))).toEqual([]);

    const hidden = [
      card.card,
      `"${card.security_code}"`,
      secret,
      apiKey,
      account.signingSecret,
      webhookSecret,
      'Byron',
    ];
    for (const one of hidden) expect(collector.text().includes(one), one).toBe(false);
    expect(relay.traceparents.filter((one) => one !== undefined)).toEqual([]);
    expect(relay.relay.output.out).toContain(`"trace_id":"${parent.traceId}"`);
  });

  it('of a reconciliation lead from the request to the query', async () => {
    const collector = await startCollector();
    const script: Script = (received, res) => {
      if (received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, []);
    };
    const relay = await setUp({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/traces` }, { script });
    const { orderNo } = await relay.pay();
    await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    expect(await relay.stop()).toBe(0);
    expect(collector.asked[0]?.path).toBe('/traces');
    const spans = collector.spans();
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const above = (span: (typeof spans)[number]): string[] => {
      const next = byId.get(span.parentSpanId ?? '');
      return next ? [...above(next), span.name] : [span.name];
    };
    const ways = spans.filter(({ name }) => name === 'gateway query').map(above);
    expect(ways).toContainEqual(['POST /v1/orders/:order_no/reconcile', 'reconcile', 'gateway query']);
    const reconcile = spans.find(({ name }) => name === 'reconcile');
    expect(reconcile?.attributes).toMatchObject({ 'turnpike.account': 'demo', 'turnpike.order_no': orderNo });
  });

  it('are not sent if they are not sampled', async () => {
    const collector = await startCollector();
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' };
    const relay = await setUp(off);
    expect((await relay.pay()).answer).toMatchObject({ status: 'approved' });
    expect(await relay.stop()).toBe(0);
    expect(collector.asked).toEqual([]);
  });

  it('are sent in batches of the configured size', async () => {
    const collector = await startCollector();
    const relay = await setUp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
    await relay.pay();
    expect(await relay.stop()).toBe(0);
    expect(collector.spans().length).toBeGreaterThan(3);
    expect(collector.asked).toHaveLength(collector.spans().length);
  });

  it('with unusable settings stop no relay, and use the defaults', async () => {
    const collector = await startCollector();
    const relay = await setUp({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'otlp,console',
      OTEL_TRACES_SAMPLER: 'parentbased_jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://jaeger:14250',
    });
    expect((await relay.pay()).answer).toMatchObject({ status: 'approved' });
    expect(await relay.stop()).toBe(0);
    expect(collector.spans().map(({ name }) => name)).toContain('POST /checkout/api/pay');
    const { out, err } = relay.relay.output;
    expect(err).toBe('');
    const warned = [...out.matchAll(/"name":"(OTEL_\w+)","used":"([^"]+)"/g)].map(([, name, used]) => [name, used]);
    expect(warned).toEqual([
      ['OTEL_TRACES_EXPORTER', 'otlp'],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'],
      ['OTEL_TRACES_SAMPLER', 'parentbased_always_on'],
    ]);
  });
});

describe('a collector', () => {
  let closedPort: number;
  let silent: Awaited<ReturnType<typeof tcpServer>>;
  beforeAll(async () => {
    const gone = await tcpServer();
    closedPort = gone.port;
    await gone.close();
    silent = await tcpServer();
  });
  afterAll(() => silent.close());

  it.each([
    ['is not running', () => closedPort],
    ['never answers', () => silent.port],
  ])('that %s harms no payment and no stop', async (_how, port) => {
    const relay = await setUp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port()}` });
    for (let times = 0; times < 3; times++) {
      expect((await relay.pay()).answer).toMatchObject({ status: 'approved' });
    }
    expect(await relay.stop()).toBe(0);
    expect(relay.relay.output.err).toBe('');
  });
});
