import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const folder = fileURLToPath(new URL('../src', import.meta.resolve('preact')));

/** Features of Preact that the form does not use, and the expressions in its source that then always have one value. */
const unused: readonly (readonly [what: string, value: string, expressions: readonly string[]])[] = [
  ['hooks for other packages', 'undefined', ['options._render', 'options._root', 'options._commit', 'options.vnode']],
  ['hooks for other packages', 'undefined', ['options.unmount', 'options.event', 'options._hydrationMismatch']],
  ['hooks for other packages', 'false', ['(tmp = options._diff)', '(tmp = options.diffed)']],
  ['hooks for other packages', 'false', ['prevDebounce != options.debounceRendering']],
  ['hooks for other packages', 'undefined', ['options.debounceRendering']],
  ['hooks for other packages', '(queueMicrotask)', ['(prevDebounce || queueMicrotask)']],
  ['contexts', 'undefined', ['tmp = newType.contextType', 'tmp && globalContext[tmp._id]', 'c.getChildContext']],
  ['contexts', 'globalContext', ['tmp._defaultValue']],
  ['other methods of components', 'undefined', ['newType.getDerivedStateFromProps', 'c.getSnapshotBeforeUpdate']],
  ['other methods of components', 'undefined', ['c.componentWillMount', 'c.componentWillReceiveProps']],
  ['other methods of components', 'undefined', ['c.componentWillUpdate', 'c.shouldComponentUpdate']],
  ['forced updates', 'true', ['c._bits & COMPONENT_FORCE']],
  ['error boundaries', 'false', ['(component = vnode._component)', 'c._bits & COMPONENT_PENDING_ERROR']],
  ['error boundaries', 'false', ['c._bits & COMPONENT_PROCESSING_EXCEPTION', 'markAsForce(newVNode)']],
  ['portals', 'undefined', ['newProps._parentDom', 'vnode.props._parentDom', 'parentVNode.props._parentDom']],
  ['suspense', 'undefined', ['e.then', 'resumed.some(removeNode)']],
  ['suspense', 'false', ['oldVNode._flags & MODE_SUSPENDED', 'oldVNode._flags & REF_DETACHED', '(r = r._excess)']],
  ['suspense', 'false', ['oldVNode._flags & MODE_HYDRATE']],
  ['suspense', 'true', ["!oldDom.data.startsWith('$s')"]],
  ['HTML as text', 'false', ["i == 'dangerouslySetInnerHTML'"]],
  ['HTML as text', '(false)', ['(newHtml)', '(oldHtml)']],
  ['style attributes', 'false', ["name == 'style'"]],
  ['attributes by other names', 'name', ["name.replace(/xlink(H|:h)/, 'h').replace(/sName$/, 's')"]],
  ['MathML', 'false', ["nodeType == 'math'", 'namespace == MATH_NAMESPACE']],
  ['other elements', 'false', ["nodeType == 'template'", "nodeType == 'textarea'", "nodeType == 'progress'"]],
  ['other elements', 'false', ['parentDom.nodeType == 9']],
  ['other elements', 'false', ["nodeType == 'foreignObject'", 'newProps.is']],
];

/** Code that would use one of these features. */
const USES_UNUSED =
  /preact\/(?:hooks|compat)|createContext|contextType|getChildContext|createPortal|getDerivedState\w+|getSnapshotBeforeUpdate|shouldComponentUpdate|component(?:DidCatch|Will(?:Mount|Update|ReceiveProps))|forceUpdate|dangerouslySetInnerHTML|<(?:textarea|progress|template|math|foreignObject)\b|\b(?:style|className|xlink\w*)=|\sis=/;

/** Preact's source without these features, by path. The names of private properties are as short as in Preact's own build. */
function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  let all = files
    .toSorted()
    .map((file) => `\0${join(folder, file)}\0${readFileSync(join(folder, file), 'utf8')}`)
    .join('');
  for (const [what, value, expressions] of unused) {
    for (const expression of expressions) {
      const uses = new RegExp(`(?<![\\w.])${expression.replaceAll(/[^\w\s]/g, '\\$&')}(?!\\w|\\s*=[^=])`, 'g');
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

/** Builds Preact from its source without unused features, which saves 1.2 KB. The build fails if another version of Preact differs there. */
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
