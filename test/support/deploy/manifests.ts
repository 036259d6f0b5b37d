import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const folder = join(import.meta.dirname, '../../../deploy/kubernetes');

/** An object of deploy/kubernetes/, as far as all kinds are alike. */
const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }).loose(),
});
export type Manifest = z.infer<typeof manifest>;

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().default(false) })),
});

/** What a pod's definition says, as far as the tests read it. */
export const podTemplate = z.looseObject({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }).optional(),
  spec: z.looseObject({
    initContainers: z.array(container),
    containers: z.tuple([container]),
    volumes: z.array(z.looseObject({ name: z.string() })),
    terminationGracePeriodSeconds: z.number().optional(),
  }),
});
export type Pod = z.infer<typeof podTemplate>;

/** All objects of deploy/kubernetes/, in the order of the files. */
export function allManifests(): Manifest[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')))
    .map((document) => {
      if ('errors' in document) for (const error of document.errors) throw error;
      return manifest.parse(document.toJS());
    });
}

/** The object of a kind; the kind has one. */
export function oneOf(kind: string): Manifest {
  const [found, ...more] = allManifests().filter((one) => one.kind === kind);
  if (!found || more.length > 0) throw new Error(`there must be one ${kind}`);
  return found;
}

/** The pod of the relays. */
export function relayPod(): Pod {
  return z.looseObject({ spec: z.looseObject({ template: podTemplate }) }).parse(oneOf('Deployment')).spec.template;
}
