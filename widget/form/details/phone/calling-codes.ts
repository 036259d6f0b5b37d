/** Every calling code and the countries that have it, the main one first: `1US,CA 55BR`. The build puts them in: see widget/build/phones.ts. */
export const callingCodes: string = '';
