import { type CommandNode, commandPaths, filePaths, pathsOf, valueOptions } from './tree.ts';

/** The completion of a program for zsh. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `# zsh completion of turnpike: source <(turnpike completion zsh)
_turnpike() {
  local at cmd= option= word
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    if [[ -n $option ]]; then option=; continue; fi
    case "$cmd $word" in
      (${patterns(commandPaths(nodes))}) cmd+=" $word" ;;
      (${patterns(valueOptions(nodes))}) option=$word ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$cmd $option" in
      (${patterns(valueOptions(nodes, ['file']))}) _files ;;
    esac
    return
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$cmd" in
      ${nodes.map((node) => wordCase(node, optionWords(node))).join('\n      ')}
    esac
    _describe -o option found
    return
  fi
  case "$cmd" in
    ${nodes.flatMap((node) => wordsOf(node).map((words) => wordCase(node, words))).join('\n    ')}
    (${patterns(filePaths(nodes))}) _files; return ;;
  esac
  (( $#found )) && _describe command found
}
if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
compdef _turnpike turnpike
`;
}

function optionWords({ options }: CommandNode): string[] {
  return options.flatMap(({ names, says }) => names.map((name) => described(name, says)));
}

/** The words that can follow a command, as a list of one or no element. */
function wordsOf({ below, argument }: CommandNode): string[][] {
  if (below.length > 0) return [below.map(({ name, says }) => described(name, says))];
  return typeof argument === 'object' ? [argument.map(quoted)] : [];
}

function wordCase(node: CommandNode, words: readonly string[]): string {
  return `(${patterns(pathsOf(node))}) found=(${words.join(' ')}) ;;`;
}

/** A word with its description, in the form of `_describe`. */
function described(name: string, says: string): string {
  return quoted(`${name}:${says}`);
}

function patterns(texts: readonly string[]): string {
  return texts.map(quoted).join('|');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
