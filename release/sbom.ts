import { createHash } from 'node:crypto';
import { isCombined } from './licences.ts';
import type { ReleasedPackage } from './packages.ts';

/**
 * The release itself: `sha256` is the hash of its archive, `direct` are the paths of the packages that its own code
 * imports.
 */
type ReleasedApplication = {
  name: string;
  version: string;
  licence: string;
  sha256: string;
  direct: readonly string[];
};

/**
 * The software bill of materials of a release in the form of CycloneDX 1.6: every package with its purl, its licence
 * and the hash of its tarball in the registry, and the dependencies between them. A package in several places is one
 * component. The same release always gives the same document: it contains no time, and its serial number is derived
 * from the archive's hash.
 */
export function sbomOf(application: ReleasedApplication, packages: readonly ReleasedPackage[]): object {
  const refs = new Map(packages.map((one) => [one.path, purlOf(one)]));
  const components = Map.groupBy(packages, purlOf);
  const refsOf = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => refs.get(path) ?? []))].toSorted();
  const ref = `pkg:generic/${application.name}@${application.version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(application.sha256)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: application.name,
        version: application.version,
        purl: ref,
        licenses: licensesOf(application.licence),
        hashes: [{ alg: 'SHA-256', content: application.sha256 }],
      },
    },
    components: [...components].map(([purl, places]) => componentOf(purl, places)),
    dependencies: [
      { ref, dependsOn: refsOf(application.direct) },
      ...[...components].map(([purl, places]) => ({
        ref: purl,
        dependsOn: refsOf(places.flatMap(({ dependsOn }) => dependsOn)),
      })),
    ],
  };
}

function componentOf(purl: string, places: readonly ReleasedPackage[]): object {
  const [first] = places;
  if (!first) throw new TypeError('A component stands in one place at least');
  const [name = '', group] = first.name.split('/').toReversed();
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name,
    version: first.version,
    scope: 'required',
    hashes: hashesOf(first.integrity),
    licenses: licensesOf(first.licence),
    purl,
    properties: places.map(({ path, isModule }) =>
      isModule ? { name: 'cdx:npm:package:path', value: path } : { name: 'cdx:npm:package:bundled', value: 'true' },
    ),
  };
}

function licensesOf(licence: string | undefined): object[] {
  if (licence === undefined) return [];
  return isCombined(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** `sha512-` and base64, in npm's form. */
function hashesOf(integrity: string): object[] {
  const [algorithm = '', value = ''] = integrity.split('-');
  return [
    { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') },
  ];
}

/** The package URL, in which the `@` of a scope is percent-encoded. */
function purlOf({ name, version }: ReleasedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8 with the bits of a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
