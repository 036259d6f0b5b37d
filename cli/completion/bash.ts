import { type CommandNode, commandPaths, filePaths, pathsOf, valueOptions } from './tree.ts';

/** The completion of a program for bash. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# bash completion of turnpike: source <(turnpike completion bash)
_turnpike() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path= option= words= files= word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == = ]]; then continue; fi
    if [[ -n $option ]]; then option=; continue; fi
    case "$path $word" in
      ${patterns(commandPaths(nodes))}) path+=" $word" ;;
      ${patterns(valueOptions(nodes))}) option=$word ;;
    esac
  done
  if [[ $cur == = ]]; then cur=; fi
  if [[ -n $option ]]; then
    case "$path $option" in
      ${patterns(valueOptions(nodes, ['file']))}) files=1 ;;
    esac
  elif [[ $cur == -* ]]; then
    case "$path" in
      ${nodes.map((node) => wordCase(node, namesOf(node))).join('\n      ')}
    esac
  else
    case "$path" in
      ${nodes.flatMap((node) => wordsOf(node).map((words) => wordCase(node, words))).join('\n      ')}
      ${patterns(filePaths(nodes))}) files=1 ;;
    esac
  fi
  local IFS=$'\\n'
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "\${words// /$IFS}" -- "$cur")
  fi
}
complete -F _turnpike turnpike
`;
}

/** The names of a command's options. */
function namesOf({ options }: CommandNode): string[] {
  return options.flatMap(({ names }) => names);
}

/** The words that can follow a command, as a list of one or no element. */
function wordsOf({ below, argument }: CommandNode): (readonly string[])[] {
  if (below.length > 0) return [below.map(({ name }) => name)];
  return typeof argument === 'object' ? [argument] : [];
}

function wordCase(node: CommandNode, words: readonly string[]): string {
  return `${patterns(pathsOf(node))}) words='${words.join(' ')}' ;;`;
}

function patterns(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join('|');
}
