/** The well-formed wishes in canonical form, best first. */
export function wellFormed(wishes: readonly string[]): string[] {
  return wishes.flatMap((wish) => {
    try {
      return Intl.getCanonicalLocales(wish);
    } catch {
      return [];
    }
  });
}

/**
 * Finds the language to speak: the first wish that is available as it is, or in another region of the same language.
 * `available` holds canonical tags, the fallback first.
 */
export function negotiate<Tag extends string>(wishes: readonly string[], available: readonly [Tag, ...Tag[]]): Tag {
  for (const wish of wellFormed(wishes)) {
    const found = available.find((tag) => tag === wish) ?? available.find((tag) => language(tag) === language(wish));
    if (found) return found;
  }
  return available[0];
}

function language(tag: string): string | undefined {
  return tag.split('-')[0];
}
