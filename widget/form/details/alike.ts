/** Fields of the person (§2.3) and the shopper's own that ask for the same. */
const ALIKE: Readonly<Record<string, string>> = {
  'person.email': 'shopper_email',
  'person.birth_date': 'birth_date',
  'person.document_number': 'document',
};

/** The field, asked as well, whose value is sent for this one too where it is left empty: nobody need type the same twice. */
export function alike(path: string, asked: ReadonlySet<string>): string | undefined {
  const own = ALIKE[path];
  // A document of a certain type may be another one.
  if (path === 'person.document_number' && asked.has('person.document_type')) return undefined;
  return own && asked.has(own) ? own : undefined;
}
