import { isObject } from '../../shared/checkout/is-object.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { readText } from './settings.ts';

/** The object in a JSON file, or in the standard input where the path is `-`. Throws UsageError, which never quotes it. */
export async function readObject(io: Io, path: string): Promise<Record<string, unknown>> {
  const text = path === '-' ? await io.readInput() : readText(path, 'the file');
  const read = jsonIn(text);
  if (isObject(read) && !Array.isArray(read)) return read;
  throw new UsageError(`${path === '-' ? 'The standard input' : path} is not JSON of one object.`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    return undefined;
  }
}
