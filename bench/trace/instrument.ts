import { AsyncLocalStorage } from 'node:async_hooks';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { z } from 'zod';

/** The functions of relay/ that were entered, in order. Paths are relative to relay/; `caller` is the file that called the function. */
export const entries = z.array(z.object({ file: z.string(), line: z.int(), caller: z.string().optional() }));
export type Entry = z.infer<typeof entries>[number];

/** A text to insert at an offset of the source. */
type Insert = { at: number; text: string };

const ROOT = join(import.meta.dirname, '../..');
const RELAY = pathToFileURL(join(ROOT, 'relay')).href;
/** The global function that every instrumented function calls first. */
const NAME = '__turnpikeEntered';

const recording = new AsyncLocalStorage<Entry[]>();

/** Instruments every file of relay/ that is loaded from now on, so that entered functions are recorded. */
export function instrumentRelay(): void {
  Object.assign(globalThis, { [NAME]: entered });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith(`${RELAY}/`) || !url.endsWith('.ts')) return loaded;
      return { ...loaded, source: instrumented(fileURLToPath(url), String(loaded.source)) };
    },
  });
}

/** Records the functions that the current asynchronous context, and everything that it starts, enters from now on. */
export function recordInto(entries: Entry[]): void {
  recording.enterWith(entries);
}

/** The source with a call at the start of every function. Line numbers do not change. */
function instrumented(path: string, source: string): string {
  const file = relative(join(ROOT, 'relay'), path).replaceAll(sep, '/');
  const { program } = parseSync(path, source);
  const inserts: Insert[] = [];
  const enter = (start: number): string => {
    const line = source.slice(0, start).split('\n').length;
    return `${NAME}(${JSON.stringify(file)},${line})`;
  };
  const intoBlock = (node: { start: number; body: { start: number } | null }): void => {
    if (node.body) inserts.push({ at: node.body.start + 1, text: `${enter(node.start)};` });
  };
  new Visitor({
    FunctionDeclaration: intoBlock,
    FunctionExpression: intoBlock,
    ArrowFunctionExpression(node) {
      if (!node.expression) {
        intoBlock(node);
        return;
      }
      const arrow = source.lastIndexOf('=>', node.body.start);
      inserts.push({ at: arrow + 2, text: `(${enter(node.start)},` }, { at: node.end, text: ')' });
    },
  }).visit(program);
  const inOrder = inserts.toSorted((a, b) => a.at - b.at);
  let text = '';
  let done = 0;
  for (const { at, text: inserted } of inOrder) {
    text += source.slice(done, at) + inserted;
    done = at;
  }
  return text + source.slice(done);
}

/** Called at the start of every instrumented function. */
function entered(file: string, line: number): void {
  const entries = recording.getStore();
  if (!entries) return;
  const caller = callerOf(file, stackFiles());
  entries.push({ file, line, ...(caller === undefined ? {} : { caller }) });
}

/** The files of the call stack, innermost first: files of relay/ by their path, those of libraries as `library`. */
function stackFiles(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const stack: unknown = new Error('stack').stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  if (!Array.isArray(stack)) return [];
  return stack.flatMap((name: string) => {
    if (name.startsWith(`${RELAY}/`)) return [name.slice(RELAY.length + 1)];
    return name.includes('/node_modules/') ? ['library'] : [];
  });
}

/** The file that called this one. Undefined if a library called it, as Express calls the next handler. */
function callerOf(file: string, stack: readonly string[]): string | undefined {
  const caller = stack.find((one) => one !== file);
  return caller === 'library' ? undefined : caller;
}
