import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { blocksOf } from '../../support/docs/doc-blocks.ts';
import { freePort } from '../../support/http/free-port.ts';
import { webhookSecret, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card } from '../../support/relays/relay.ts';
import { startRelayAndGateway } from '../../support/relays/server-page.ts';
import { until } from '../../support/time/until.ts';
import { vectorPrograms } from './vector-programs.ts';

const page = 'docs/other-languages.md';
const jars = ['databind', 'core', 'annotations'].map((name) => `/usr/share/java/jackson-${name}.jar`);

type Language = {
  name: keyof typeof vectorPrograms;
  /** Debian's packages that run it. */
  packages: string;
  /** The commands: one that compiles, if one is needed, and those that run each program. */
  build?: readonly string[];
  vectors: readonly string[];
  payment: readonly string[];
  receiver(port: number): readonly string[];
};

const languages: readonly Language[] = [
  {
    name: 'python',
    packages: 'python3',
    vectors: ['python3', 'vectors.py'],
    payment: ['python3', '-u', 'first_payment.py'],
    receiver: () => ['python3', 'receiver.py'],
  },
  {
    name: 'php',
    packages: 'php-cli',
    vectors: ['php', 'vectors.php'],
    payment: ['php', 'first_payment.php'],
    receiver: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  {
    name: 'go',
    packages: 'golang-go',
    build: [
      'sh',
      '-c',
      'go mod init shop && for name in vectors firstpayment receiver; do go build -o bin/$name ./$name; done',
    ],
    vectors: ['bin/vectors'],
    payment: ['bin/firstpayment'],
    receiver: () => ['bin/receiver'],
  },
  {
    name: 'java',
    packages: 'default-jdk-headless libjackson2-databind-java',
    build: ['sh', '-c', 'javac *.java'],
    vectors: ['java', 'Vectors'],
    payment: ['java', 'FirstPayment'],
    receiver: () => ['java', 'Receiver'],
  },
];

/** The standard's example, then signatures of its library. Each with its result. */
const cases = (() => {
  const standard = {
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    now: 1614265330,
  };
  const { headers, now } = standard;
  const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const withSignature = (signature: string) => ({ ...headers, 'webhook-signature': signature });
  const accented = '{"type":"session.approved","data":{"name":"São Tomé 🍵"}}';
  // A forgery without a secret: the key of an empty secret is empty.
  const forged = createHmac('sha256', '').update(`msg_1.${now}.{}`).digest('base64');
  const unsafe = {
    body: '{}',
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now), 'webhook-signature': `v1,${forged}` },
    now,
  };
  const signed = new Webhook(webhookSecret).sign('msg_1', new Date(now * 1000), accented);
  return [
    { result: 'valid', ...standard },
    { result: 'valid', ...standard, now: now + 300 },
    { result: 'timestamp_refused', ...standard, now: now + 301 },
    { result: 'timestamp_refused', ...standard, now: now - 301 },
    { result: 'signature_wrong', ...standard, body: '{"test":2432232314}' },
    { result: 'signature_wrong', ...standard, secrets: [other] },
    { result: 'valid', ...standard, secrets: [other, ...standard.secrets] },
    { result: 'valid', ...standard, headers: withSignature(`v1,AAAA ${headers['webhook-signature']}`) },
    {
      result: 'signature_wrong',
      ...standard,
      headers: withSignature(headers['webhook-signature'].replace('v1,', 'v1a,')),
    },
    { result: 'headers_missing', ...standard, headers: withSignature('') },
    { result: 'signature_wrong', ...standard, headers: withSignature('v1,ü') },
    { result: 'timestamp_refused', ...standard, headers: { ...headers, 'webhook-timestamp': 'soon' } },
    { result: 'headers_missing', ...standard, headers: {} },
    { result: 'secret_wrong', ...unsafe, secrets: [''] },
    { result: 'secret_wrong', ...unsafe, secrets: ['whsec_'] },
    { result: 'secret_wrong', ...unsafe, secrets: [...standard.secrets, ''] },
    {
      result: 'valid',
      body: accented,
      secrets: [webhookSecret],
      headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now), 'webhook-signature': signed },
      now,
    },
  ];
})();

describe.each(languages)('the programs in $name', ({ name, packages, build, vectors, payment, receiver }) => {
  let folder: string;
  const env = () => ({ PATH: process.env.PATH, HOME: folder, CLASSPATH: `${folder}:${jars.join(':')}` });
  const run = async ([command = '', ...args]: readonly string[], more: Record<string, string> = {}) =>
    (await promisify(execFile)(command, args, { cwd: folder, env: { ...env(), ...more } })).stdout;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `turnpike-${name}-`));
    const program = vectorPrograms[name];
    const files = new Map<string, string>([[program.file, program.code]]);
    for (const { language, code } of blocksOf(page)) {
      const path = /^(?:<\?php )?(?:#|\/\/) (\S+)$/m.exec(code)?.[1];
      if (language === name) files.set(path ?? '', code);
    }
    for (const [path, code] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), code);
    }
    await writeFile(join(folder, 'cases.json'), JSON.stringify(cases));
    const [command = ''] = build ?? vectors;
    await run(build ?? vectors).catch((error) => {
      throw new Error(`${command} failed (Debian: sudo apt-get install ${packages}): ${error.stderr ?? error.message}`);
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('accept what was signed, and nothing else', async () => {
    const results = (await run(vectors)).trim().split('\n');
    expect(results).toEqual(cases.map(({ result }) => result));
  });

  it('name the wrong fields of a request', async () => {
    const { url } = await startRelayAndGateway();
    const printed = await run(vectors, { TURNPIKE_URL: url, TURNPIKE_API_KEY: apiKey });
    expect(printed.trim().split('\n').at(-1)).toMatch(/^400 invalid_request: order is missing/);
  });

  it.runIf(name === 'php')('name a variable that is not set', async () => {
    const printed = run(payment, { TURNPIKE_API_KEY: apiKey }).catch(({ stderr }) => String(stderr));
    expect(await printed).toContain('TURNPIKE_URL is not set');
  });

  it.runIf(name === 'php')('answer a webhook with 500 after an error that PHP displays', async () => {
    const port = await freePort();
    const child = spawn('php', ['-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, 'receiver.php'], {
      cwd: folder,
      env: env(), // without the secret
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const answer = () => fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body: '{}' });
    await until('the receiver listens', () =>
      answer().then(
        () => true,
        () => false,
      ),
    );
    expect((await answer()).status).toBe(500);
  });

  it('pay, refund and reconcile an order, and receive its webhooks', async () => {
    const port = await freePort();
    const relay = await startRelayAndGateway(withReceiver(`http://127.0.0.1:${port}/webhooks`));
    const shop = {
      ...env(),
      PORT: String(port),
      TURNPIKE_URL: relay.url,
      TURNPIKE_API_KEY: apiKey,
      TURNPIKE_WEBHOOK_SECRET: ` ${webhookSecret}\n`,
    };
    const start = ([command = '', ...args]: readonly string[]) => {
      const child = spawn(command, args, { cwd: folder, env: shop });
      onTestFinished(() => void child.kill('SIGKILL'));
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data));
      return { child, printed: () => printed };
    };
    const received = start(receiver(port));
    const unsigned = () => fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body: '{}' });
    await until('the receiver listens', () =>
      unsigned().then(
        ({ status }) => status === 400,
        () => false,
      ),
    );
    await until('the refusal is printed', () => received.printed().includes('headers_missing'));

    const { child, printed } = start(payment);
    await until('a checkout is open', () => printed().includes('press Enter'));
    const [, secret = ''] = /#(\S+)/.exec(printed()) ?? [];
    expect(await relay.pay(secret, card)).toMatchObject({ body: { status: 'approved' } });
    child.stdin.end('\n');
    await until(`${name} is done`, () => child.exitCode !== null);
    expect(printed().trim().split('\n').slice(1)).toEqual(['approved', 'succeeded 29.90', 'partially_refunded']);
    for (const type of ['session.approved', 'payment.ready', 'payment.refunded']) {
      await until(`${type} is received`, () => new RegExp(`msg_\\S+ ${type}$`, 'm').test(received.printed()));
    }
  });
});

describe('a client from the OpenAPI document', () => {
  it('is generated by the command of the page', async () => {
    const relay = await startRelayAndGateway();
    const folder = await mkdtemp(join(tmpdir(), 'turnpike-generated-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const command = blocksOf(page).find(({ code }) => code.startsWith('npx '))?.code ?? '';
    const own = command.replace('http://127.0.0.1:8080', relay.url);
    await promisify(execFile)('sh', ['-c', own], { cwd: folder });
    expect(await readFile(join(folder, 'turnpike-api.ts'), 'utf8')).toContain('"/v1/orders/{order_no}/refund"');
  });
});
