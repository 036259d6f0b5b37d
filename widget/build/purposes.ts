/** What each script is for, as the inventory of scripts on the payment page must say (PCI DSS 6.4.3). By the chunk's name. */
const PURPOSES: Readonly<Record<string, string>> = {
  form: 'the payment form: takes the card, checks it while it is typed',
  flow: 'sends the payment with what the browser says of itself, follows what becomes of it, and shows the outcome',
  parts: 'choices beside the card: many payment methods, saved cards, installments, terms',
  details: 'fields beside the card, and their rules',
  hosted: 'what the checkout has around its form on a page of its own: the order, and the ways back to the shop',
  addresses: 'countries, states and postal codes of addresses',
  combobox: 'finds a bank by typing',
  countries: 'the names of countries, in the shopper’s language',
  'birth-date': 'takes a date of birth, in the order in which the shopper writes one',
  documents: 'check digits of identity and tax numbers',
  'file-field': 'takes a file, such as a photo of a document',
  'phone-field': 'takes a telephone number and its country',
  wording: 'writes amounts and names, and puts parts of a sentence together',
  libphonenumber: 'reads and writes telephone numbers',
  texts: 'the form’s texts in another language than the page came with',
  fingerprint: 'reads the device’s fingerprint while nobody types, for the bank’s risk check',
};

/** What a chunk of the form is for. One that has no entry of its own is shared by several that do. */
export function purposeOf(chunk: string): string {
  const [, zone] = /phone-zone-(\d)$/.exec(chunk) ?? [];
  if (zone) return `what telephone numbers look like whose calling code begins with ${zone}`;
  return PURPOSES[chunk] ?? `code that parts of the payment form share (${chunk})`;
}
