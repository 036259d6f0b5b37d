import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('../src', import.meta.resolve('preact')));

/** Features of Preact that the form does not use, and the expressions in its source that then always have one value. */
const unused: readonly (readonly [what: string, value: string, expressions: readonly string[]])[] = [
  ['hooks for other packages', 'undefined', ['options._diff', 'options.diffed', 'options._render', 'options._root']],
  ['hooks for other packages', 'undefined', ['options._commit', 'options.vnode', 'options.unmount', 'options.event']],
  ['hooks for other packages', 'undefined', ['options._hydrationMismatch', 'options.debounceRendering']],
  ['contexts', 'undefined', ['newType.contextType', 'c.getChildContext']],
  ['other methods of components', 'undefined', ['newType.getDerivedStateFromProps', 'c.getSnapshotBeforeUpdate']],
  ['other methods of components', 'undefined', ['c.componentWillMount', 'c.componentWillReceiveProps']],
  ['other methods of components', 'undefined', ['c.componentWillUpdate', 'c.shouldComponentUpdate']],
  ['error boundaries', 'undefined', ['ctor.getDerivedStateFromError', 'component.componentDidCatch']],
  ['portals', 'undefined', ['newProps._parentDom', 'vnode.props._parentDom', 'parentVNode.props._parentDom']],
  ['suspense', 'undefined', ['e.then', 'r._excess']],
  ['suspense', 'false', ['oldVNode._flags & MODE_SUSPENDED', 'oldVNode._flags & REF_DETACHED']],
  ['HTML as text', 'false', ["i == 'dangerouslySetInnerHTML'"]],
  ['HTML as text', '(false)', ['(newHtml)', '(oldHtml)']],
  ['style attributes', 'false', ["name == 'style'"]],
  ['MathML', 'false', ["nodeType == 'math'", 'namespace == MATH_NAMESPACE']],
  ['other elements', 'false', ["nodeType == 'template'", "nodeType == 'textarea'", "nodeType == 'progress'"]],
];

/** Code that would use one of these features. */
const USES_UNUSED =
  /preact\/(?:hooks|compat)|createContext|dangerouslySetInnerHTML|\bstyle=|<(?:textarea|progress|template|math)\b|componentDidCatch/;

/** Preact's source without these features, by path. The names of private properties are as short as in Preact's own build. */
function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  let all = files
    .toSorted()
    .map((file) => `\0${join(folder, file)}\0${readFileSync(join(folder, file), 'utf8')}`)
    .join('');
  for (const [what, value, expressions] of unused) {
    for (const expression of expressions) {
      const uses = new RegExp(`(?<![\\w.])${expression.replaceAll(/[.()]/g, '\\$&')}(?!\\w|\\s*=[^=])`, 'g');
      if (!uses.test(all))
        throw new Error(`${what} cannot be removed from this version of Preact: it does not contain ${expression}`);
      all = all.replace(uses, value);
    }
  }
  const names = [...new Set(all.match(/\b_[a-z]\w+\b/gi))];
  all = all.replaceAll(/\b_[a-z]\w+\b/gi, (name) => `_${names.indexOf(name).toString(36)}`);
  const parts = all.split('\0').slice(1);
  return new Map(parts.flatMap((part, at) => (at % 2 ? [] : [[part, parts[at + 1] ?? '']])));
}

let built: ReadonlyMap<string, string> | undefined;

/** Builds Preact from its source without unused features, which saves 0.8 KB. The build fails if another version of Preact differs there. */
export const lessOfPreact: Plugin = {
  name: 'less-of-preact',
  enforce: 'pre',
  resolveId: (id) => (id === 'preact' ? join(folder, 'index.js') : undefined),
  load: (id) => {
    if (!id.startsWith(folder)) return undefined;
    built ??= sources();
    return built.get(id);
  },
  transform(code, id) {
    const [used] = id.endsWith('.tsx') ? (USES_UNUSED.exec(code) ?? []) : [];
    if (used !== undefined) throw new Error(`${id} uses ${used}: keep that part of Preact in less-of-preact.ts`);
  },
};
