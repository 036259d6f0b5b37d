/**
 * Caches the results of a pure function by key (`===`), if computing them is expensive: creating one of Intl's formats
 * takes 20 to 200 µs (`npm run bench -- relay --only checkout`). The cache is emptied at `max` keys, so that requests
 * cannot fill the memory.
 */
export function remembered<Key, Value>(make: (key: Key) => Value, max = 200): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= max) known.clear();
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
