import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import type { DetailFeature } from '../../../shared/checkout/view.ts';
import type { View } from '../state.ts';
import { addressPart } from './address/address.ts';
import { catalogue } from './catalogue.ts';
import type { Feature, Features } from './context.ts';
import { collectedPaths, pathsOf } from './requested.ts';

/** The maximum number of banks in a plain select, which every phone shows well. More banks are found by typing. */
export const MAX_LISTED_BANKS = 50;

const imports: Readonly<Record<DetailFeature, () => Promise<{ feature(): Feature }>>> = {
  addresses: () => import('./address/addresses.tsx'),
  banks: () => import('./controls/combobox.tsx'),
  dates: () => import('./controls/birth-date.tsx'),
  documents: async () => {
    const chunk = await import('../../../shared/checkout/fields/document/documents.ts');
    return { feature: () => ({ rules: { documents: chunk.documents } }) };
  },
  files: () => import('./controls/file-field.tsx'),
  phones: () => import('./controls/phone-field.tsx'),
};

/** Loads the features that this view needs, or all of them. Rejects if a part cannot be loaded. */
export async function loadFeatures(view?: View): Promise<Features> {
  const needed = view ? featuresOf(view).map((name) => imports[name]) : Object.values(imports);
  const all: Features = { controls: {}, rules: {} };
  for (const { feature } of await Promise.all(needed.map((load) => load()))) {
    const { controls, rules, phones } = feature();
    Object.assign(all.controls, controls);
    Object.assign(all.rules, rules);
    Object.assign(all, phones && { phones });
  }
  return all;
}

/** The features that a field of this view needs, whichever method is chosen. */
export function featuresOf(view: View): DetailFeature[] {
  const paths = [...collectedPaths(view), ...view.methods.flatMap(pathsOf)];
  const needed = new Set(paths.flatMap((path) => featureOf(path) ?? []));
  if (view.methods.some((method) => method.type === 'apm' && (method.banks?.length ?? 0) > MAX_LISTED_BANKS))
    needed.add('banks');
  return [...needed];
}

function featureOf(path: string): DetailFeature | undefined {
  if (addressPart(path)) return 'addresses';
  if (kindOf(path) === 'document') return 'documents';
  switch (catalogue.get(path)?.kind) {
    case 'country':
      return 'addresses';
    case 'date':
      return 'dates';
    case 'file':
      return 'files';
    case 'tel':
      return 'phones';
    default:
      return undefined;
  }
}
