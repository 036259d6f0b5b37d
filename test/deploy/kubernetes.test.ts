import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { version } from '../../package.json' with { type: 'json' };
import { configFile } from '../../relay/config/schema.ts';
import { allRoutes } from '../../relay/routes/all.ts';
import { allManifests, type Manifest, oneOf, type Pod, podTemplate, relayPod } from '../support/deploy/manifests.ts';

const root = join(import.meta.dirname, '../..');
const models = {
  CronJob,
  Deployment,
  HTTPRoute,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
};

function modelOf({ kind }: Manifest) {
  const [, model] = Object.entries(models).find(([name]) => name === kind) ?? [];
  if (!model) throw new Error(`the test knows no ${kind}`);
  return model;
}

/** The file with the types of a kind. */
function packageOf({ apiVersion, kind }: Manifest): string {
  const name = apiVersion.startsWith('gateway.') ? '@kubernetes-models/gateway-api' : 'kubernetes-models';
  return join(root, 'node_modules', name, apiVersion, `${kind}.js`);
}

/** The compiler's errors for these objects as values of the API's types, which have every field. */
function complaintsOf(manifests: readonly Manifest[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-manifests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = manifests.map(
    (one, at) =>
      `export const _${at}: import(${JSON.stringify(packageOf(one))}).I${one.kind} = ${JSON.stringify(one)};\n`,
  );
  writeFileSync(join(folder, 'manifests.ts'), lines.join(''));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '', '--module', 'nodenext'];
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, join(folder, 'manifests.ts')], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter(Boolean);
}

const backupPod = (): Pod =>
  z
    .looseObject({
      spec: z.object({ jobTemplate: z.object({ spec: z.looseObject({ template: podTemplate }) }) }).loose(),
    })
    .parse(oneOf('CronJob')).spec.jobTemplate.spec.template;

describe('the manifests for Kubernetes', () => {
  it('are valid objects of its API', () => {
    const manifests = allManifests();
    expect(manifests).toHaveLength(8);
    for (const one of manifests) {
      const model = modelOf(one);
      expect(one.apiVersion).toBe(model.apiVersion);
      expect(() => new model(JSON.parse(JSON.stringify(one))).validate(), one.kind).not.toThrow();
    }
  });

  it('have only fields that the API knows', () => {
    const [misspelt] = allManifests()
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => JSON.parse(JSON.stringify(one).replace('readinessProbe', 'readinesProbe')));
    const manifests = allManifests();
    expect(complaintsOf([...manifests, misspelt])).toEqual([
      expect.stringMatching(new RegExp(`manifests\\.ts\\(${manifests.length + 1},.*readinesProbe.* does not exist`)),
    ]);
  });

  it('are in one namespace, whose pods must be confined', () => {
    const { metadata } = oneOf('Namespace');
    expect(metadata).toMatchObject({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } });
    for (const one of allManifests()) expect(one.metadata.namespace ?? one.metadata.name).toBe(metadata.name);
  });

  it('name the image of this version', () => {
    const images = [relayPod(), backupPod()].flatMap(({ spec }) =>
      [...spec.initContainers, ...spec.containers].map(({ image }) => image),
    );
    expect(new Set(images)).toEqual(new Set([`turnpike-relay:${version}`, 'postgres:18']));
    const compose = readFileSync(join(root, 'deploy/compose.yml'), 'utf8');
    expect(compose).toContain(`\${TURNPIKE_IMAGE:-turnpike-relay:${version}}`);
    expect(compose).toContain('postgres:18');
  });
});

describe.each([
  ['relay', relayPod],
  ['backup', backupPod],
])('the pod of the %s', (_, podOf) => {
  it('runs without privileges on a read-only root', () => {
    const { spec } = podOf();
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const one of [...spec.initContainers, ...spec.containers]) {
      expect(one).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      });
    }
  });

  it('has secrets as files, and mounts every volume', () => {
    const { spec } = podOf();
    const all = [...spec.initContainers, ...spec.containers];
    expect(JSON.stringify(all)).not.toMatch(/secretKeyRef|secretRef/);
    const mounts = all.flatMap(({ volumeMounts }) => volumeMounts);
    expect(new Set(mounts.map(({ name }) => name))).toEqual(new Set(spec.volumes.map(({ name }) => name)));
    const secrets = mounts.filter(({ name }) => name === 'secrets');
    expect(secrets).toEqual([{ name: 'secrets', mountPath: '/run/secrets', readOnly: true }]);
  });
});

describe('the relays on Kubernetes', () => {
  it('are probed at routes of the relay', () => {
    const { containers } = relayPod().spec;
    const probe = (path: string) => ({ httpGet: { path, port: 'http' } });
    expect(containers[0]).toMatchObject({
      startupProbe: probe('/healthz'),
      livenessProbe: probe('/healthz'),
      readinessProbe: probe('/readyz'),
      ports: [{ name: 'http', containerPort: 8080 }],
    });
    for (const path of ['/healthz', '/readyz']) expect(allRoutes.some((route) => route.path === path)).toBe(true);
  });

  it('have time to finish running requests before they are killed', () => {
    const { spec } = relayPod();
    const [{ lifecycle }] = z
      .tuple([z.object({ lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }) })])
      .parse(spec.containers);
    const { timeout_ms } = configFile.shape.gateway.parse({ base_url: 'https://gateway.example' });
    const needed = lifecycle.preStop.sleep.seconds + (timeout_ms + 5000) / 1000;
    expect(lifecycle.preStop.sleep.seconds).toBeGreaterThan(0);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  it('may use half as much memory again as a relay under load', () => {
    const measured = readFileSync(join(root, 'docs/capacity.md'), 'utf8').matchAll(/^\| \w+ \|.* (\d+) MB \|$/gm);
    const most = Math.max(...Array.from(measured, ([, megabytes]) => Number(megabytes) * 1e6));
    const { resources } = memoryOfRelay.parse(relayPod().spec.containers[0]);
    expect(most).toBeGreaterThan(0);
    expect(bytes(resources.limits.memory)).toBeGreaterThanOrEqual(most * 1.5);
    expect(bytes(resources.requests.memory) * 1.1).toBeGreaterThanOrEqual(most);
  });

  it('are chosen by the Service, the budget and the route', () => {
    const { labels } = z.object({ labels: z.record(z.string(), z.string()) }).parse(relayPod().metadata);
    expect(oneOf('Deployment')).toMatchObject({ spec: { replicas: 2, selector: { matchLabels: labels } } });
    expect(oneOf('PodDisruptionBudget')).toMatchObject({
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    expect(oneOf('Service')).toMatchObject({ spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] } });
    const { name } = oneOf('Service').metadata;
    expect(routeRules().map(({ backendRefs }) => backendRefs)).toEqual([[{ name, port: 80 }], [{ name, port: 80 }]]);
  });

  it('are reachable from the internet at the same paths as behind nginx', () => {
    const nginx = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
    const [, prefixes = ''] = /~\^\/\(([\w|]+)\)\/ 1;/.exec(nginx) ?? [];
    const paths = routeRules().flatMap(({ matches }) => matches.map(({ path }) => path));
    const open = paths.filter(({ type }) => type === 'PathPrefix').map(({ value }) => value.slice(1));
    expect(open.toSorted()).toEqual(prefixes.split('|').toSorted());
    const others = paths.filter(({ type }) => type !== 'PathPrefix').map(({ value }) => value);
    expect(others).toEqual(['/embed.json', '/turnpike[\\w-]*\\.js']);
    expect(nginx).toContain('~^/(embed\\.json|turnpike[\\w-]*\\.js)');
  });

  it('get neither the single sign-on’s header nor traces of browsers', () => {
    const removed = routeRules().map(({ filters }) => filters[0].requestHeaderModifier.remove);
    for (const names of removed) expect(names).toContain('x-remote-user');
    const { matches } = routeRules()[removed.findIndex((names) => !names.includes('traceparent'))] ?? {};
    expect(matches?.map(({ path }) => path.value)).toEqual(['/v1']);
  });

  it('reach the internet, and no private address but PostgreSQL’s', () => {
    expect(oneOf('NetworkPolicy')).toMatchObject({ spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } });
    expect(mayReach('8.8.8.8', 443)).toBe(true);
    expect(mayReach('2606:4700::1', 443)).toBe(true);
    expect(mayReach('10.0.0.1', 5432)).toBe(true);
    for (const inside of [
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '192.168.0.1',
      'fd00::1',
    ]) {
      expect(mayReach(inside, 443), inside).toBe(false);
    }
    expect(mayReach('8.8.8.8', 5432)).toBe(false);
  });
});

it('the backup runs the scripts of the release', () => {
  const { initContainers, containers } = backupPod().spec;
  const copied = initContainers.flatMap(({ command }) => command ?? []).filter((word) => word.endsWith('.sh'));
  for (const path of copied) expect(existsSync(path.replace('/opt/turnpike/current', root)), path).toBe(true);
  expect(copied.map((path) => path.replace(/^.*\//, ''))).toEqual(['backup.sh', 'store.sh']);
  expect(containers[0].command?.slice(0, 3)).toEqual(['sh', '/scripts/backup.sh', '/run/secrets/store']);
});

const amount = z.object({ memory: z.string() });
const memoryOfRelay = z.looseObject({ resources: z.object({ requests: amount, limits: amount }) });

/** A quantity of memory of Kubernetes, as in `512Mi`. */
function bytes(quantity: string): number {
  const [, count, unit] = /^(\d+)([MG])i$/.exec(quantity) ?? [];
  return Number(count) * (unit === 'G' ? 2 ** 30 : 2 ** 20);
}

/** Whether the policy lets a relay connect to an address. */
function mayReach(address: string, port: number): boolean {
  const block = z.object({ cidr: z.string(), except: z.array(z.string()).default([]) });
  const rule = z.object({
    to: z.array(z.looseObject({ ipBlock: block.optional() })),
    ports: z.array(z.looseObject({ port: z.number() })),
  });
  const { egress } = z
    .looseObject({ spec: z.looseObject({ egress: z.array(rule) }) })
    .parse(oneOf('NetworkPolicy')).spec;
  const isIn = (cidr: string): boolean => {
    const list = new BlockList();
    const [net = '', bits] = cidr.split('/');
    if (isIPv6(net) !== isIPv6(address)) return false;
    list.addSubnet(net, Number(bits), isIPv6(net) ? 'ipv6' : 'ipv4');
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
  return egress.some(
    ({ to, ports }) =>
      ports.some((one) => one.port === port) &&
      to.some(({ ipBlock }) => ipBlock && isIn(ipBlock.cidr) && !ipBlock.except.some(isIn)),
  );
}

function routeRules() {
  const path = z.object({ path: z.object({ type: z.string(), value: z.string() }) });
  const filter = z.object({ requestHeaderModifier: z.object({ remove: z.array(z.string()) }) }).loose();
  const rule = z.looseObject({ matches: z.array(path), filters: z.tuple([filter]), backendRefs: z.array(z.unknown()) });
  return z.looseObject({ spec: z.looseObject({ rules: z.array(rule) }) }).parse(oneOf('HTTPRoute')).spec.rules;
}
