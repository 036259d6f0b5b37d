import { type CommandNode, commandPaths, pathsOf, valueOptions } from './tree.ts';

/** The completion of a program for fish. */
export function fishScript(nodes: readonly CommandNode[]): string {
  return `# fish completion of turnpike: turnpike completion fish | source
function __turnpike_command
    set -l path ''
    set -l option ''
    for word in (commandline -opc)[2..-1]
        if test -n "$option"
            set option ''
            continue
        end
        switch "$path $word"
            case ${commandPaths(nodes).map(quoted).join(' ')}
                set path "$path $word"
            case ${valueOptions(nodes).map(quoted).join(' ')}
                set option $word
        end
    end
    echo -- "$path"
end
complete -c turnpike -e
complete -c turnpike -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf(node: CommandNode): string[] {
  const paths = pathsOf(node).map(quoted).join(' ');
  const line = `complete -c turnpike -n ${quoted(`contains -- (__turnpike_command) ${paths}`)}`;
  const { below, argument, options } = node;
  return [
    ...below.map(({ name, says }) => `${line} -a ${quoted(name)} -d ${quoted(says)}`),
    ...(below.length === 0 && argument === 'file' ? [`${line} -F`] : []),
    ...(below.length === 0 && typeof argument === 'object' ? [`${line} -a ${quoted(argument.join(' '))}`] : []),
    ...options.map((option) => `${line} ${flagsOf(option)} -d ${quoted(option.says)}`),
  ];
}

/** An option's names and its value, in the form of `complete`. */
function flagsOf({ names, value }: CommandNode['options'][number]): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (value === undefined) return flags.join(' ');
  return `${flags.join(' ')} ${value === 'file' ? '-r -F' : '-x'}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
