import type { Command, Option } from 'commander';

/** The possible values of an option or argument. */
type Value = 'file' | 'any';

/** An option: its names, such as `-V` and `--version`, and its value, if it has one. */
type OptionNode = { names: string[]; says: string; value: Value | undefined };

/** A command as a shell completes it. */
export type CommandNode = {
  /** The words of its path, each with its other names: `[['subscriptions', 'subscription'], ['list']]`. */
  path: string[][];
  /** The names of its subcommands. */
  below: { name: string; says: string }[];
  options: OptionNode[];
  /** The possible arguments after its name, if they are a fixed list. */
  argument: Value | readonly string[] | undefined;
};

/** Every command of the program, starting with the program itself. */
export function commandNodes(command: Command, path: string[][] = []): CommandNode[] {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const own: CommandNode = {
    path,
    below: visible.map((one) => ({ name: one.name(), says: help.subcommandDescription(one) })),
    options: options.map(optionNode),
    argument: command.registeredArguments.map((argument) => argument.argChoices ?? valueIn(argument.name()))[0],
  };
  return [own, ...visible.flatMap((one) => commandNodes(one, [...path, [one.name(), ...one.aliases()]]))];
}

/** Every way to write the path of a command, as its words with a blank before each; empty for the program itself. */
export function pathsOf({ path }: CommandNode): string[] {
  return path.reduce((before, names) => before.flatMap((one) => names.map((name) => `${one} ${name}`)), ['']);
}

/** Every way to write each command below the program. */
export function commandPaths([, ...commands]: readonly CommandNode[]): string[] {
  return commands.flatMap(pathsOf);
}

/** Every way to write a command that takes a file. */
export function filePaths(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ argument }) => argument === 'file').flatMap(pathsOf);
}

/** Every way to write an option with a value, after the path of its command. */
export function valueOptions(nodes: readonly CommandNode[], of: readonly Value[] = ['file', 'any']): string[] {
  return nodes.flatMap((node) => {
    const options = node.options.filter(({ value }) => value !== undefined && of.includes(value));
    const names = options.flatMap((option) => option.names);
    return pathsOf(node).flatMap((path) => names.map((name) => `${path} ${name}`));
  });
}

function optionNode({ short, long, description, required, flags }: Option): OptionNode {
  const names = [short, long].flatMap((name) => name ?? []);
  return { names, says: description, value: required ? valueIn(flags) : undefined };
}

/** The kind of a value, by its placeholder: `<file>` and `<file.csv>` are files. */
function valueIn(placeholder: string): Value {
  return /\bfile(\.\w+)?>?$/.test(placeholder) ? 'file' : 'any';
}
