import { AsyncLocalStorage } from 'node:async_hooks';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'vite';

/** One function of relay/ that was entered. Paths are relative to relay/; `caller` is the file of ours that called it. */
export type Entry = { file: string; line: number; caller?: string };

/** A span of a source in which something is put. */
type Insert = { at: number; text: string };

const ROOT = join(import.meta.dirname, '../..');
const RELAY = pathToFileURL(join(ROOT, 'relay')).href;
const NAME = '__turnpikeEntered';

const recording = new AsyncLocalStorage<Entry[]>();

/** Makes every file of relay/ that is loaded from now on tell which of its functions are entered. */
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

/** Records what is entered from now on by what runs now, and by all that it begins. */
export function recordInto(entries: Entry[]): void {
  recording.enterWith(entries);
}

/** The source with a call at the start of every function: the lines stay as they are. */
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

function entered(file: string, line: number): void {
  const entries = recording.getStore();
  if (!entries) return;
  const caller = callerOf(file, files());
  entries.push({ file, line, ...(caller === undefined ? {} : { caller }) });
}

/** The files of the stack from the inside out: ours by their path in relay/, those of libraries as `library`. */
function files(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const stack: unknown = new Error('where').stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  if (!Array.isArray(stack)) return [];
  return stack.flatMap((name: string) => {
    if (name.startsWith(`${RELAY}/`)) return [name.slice(RELAY.length + 1)];
    return name.includes('/node_modules/') ? ['library'] : [];
  });
}

/** The file that called this one. What a library calls (Express the next handler) is called by none of ours. */
function callerOf(file: string, stack: readonly string[]): string | undefined {
  const caller = stack.find((one) => one !== file);
  return caller === 'library' ? undefined : caller;
}
