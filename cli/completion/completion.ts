import { Argument, Command } from 'commander';
import type { Io } from '../base/io.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type CommandNode, commandNodes } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `turnpike completion bash|zsh|fish`. */
export function completionCommand(io: Io): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Add a line to the file that your shell reads at its start:
  ~/.bashrc                    source <(turnpike completion bash)
  ~/.zshrc                     source <(turnpike completion zsh)
  ~/.config/fish/config.fish   turnpike completion fish | source`,
    )
    .action((shell: string, _options: unknown, self: Command) => {
      const nodes = self.parent ? commandNodes(self.parent) : [];
      io.out.write(scripts[shell]?.(nodes) ?? '');
    });
}
