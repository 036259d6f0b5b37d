import type { Config } from '../../relay/config/load.ts';
import { CliError, EXIT } from '../base/errors.ts';

/**
 * Reads a relay's settings as the relay does. Throws CliError, exit code 2, with every problem and its path.
 * @param env where the settings' own secrets are looked for
 */
export async function readConfig(file: string, env: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const { loadConfig } = await import('../../relay/config/load.ts');
  const { ConfigError } = await import('../../relay/base/errors.ts');
  try {
    return loadConfig(file, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    throw new CliError(
      'config_invalid',
      `${file} is wrong in ${problems.length === 1 ? 'one place' : `${problems.length} places`}.`,
      {
        exitCode: EXIT.usage,
        errors: problems.map((problem) => problemOf(problem, file)),
        hint: problems.some((problem) => problem.includes('environment variable'))
          ? 'Set the variables that the relay itself is started with.'
          : 'The relay would not start with it.',
      },
    );
  }
}

/** A line of the loader's, parted into the setting's path and what is wrong with it. */
function problemOf(line: string, file: string): { path: string; message: string } {
  const [, path, message] = /^((?:[^\s.:]+\.)*[^\s.:]+|\(the file\)): (.*)$/s.exec(line) ?? [];
  return path === undefined || message === undefined ? { path: file, message: line } : { path, message };
}
