import { readFileSync } from 'node:fs';
import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { Reporter } from '@stryker-mutator/api/report';
import { equivalents } from './equivalents.ts';

/** True for a mutant that no test found and that is not known to be equivalent. */
export function isMissed(mutant: MutantResult): boolean {
  return isAlive(mutant) && !isEquivalent(mutant);
}

/** True for a mutant that no test found. */
export function isAlive({ status }: MutantResult): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function isEquivalent(mutant: MutantResult): boolean {
  const text = textOf(mutant);
  return equivalents.some(
    ({ file, line = '', text: original, changed }) =>
      mutant.fileName.endsWith(file) &&
      original === text &&
      changed === mutant.replacement &&
      linesOf(mutant).join('\n').includes(line),
  );
}

/** Prints each survivor when it is found, since a long run may be stopped. */
class SurvivorReporter implements Reporter {
  onMutantTested(mutant: MutantResult): void {
    if (!isMissed(mutant)) return;
    const { fileName, location, replacement = '' } = mutant;
    const change = `${shown(textOf(mutant))} → ${shown(replacement)}`;
    process.stdout.write(`  ${fileName}:${location.start.line} ${change}\n`);
  }
}

/** The code that a mutant replaces. Lines and columns count from 1. */
function textOf(mutant: MutantResult): string {
  const { start, end } = mutant.location;
  const whole = linesOf(mutant);
  const last = whole.length - 1;
  return whole
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join('\n');
}

function linesOf({ fileName, location: { start, end } }: MutantResult): string[] {
  return readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
}

function shown(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

export const survivorPlugin = declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorReporter);
