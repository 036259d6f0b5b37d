// First: a SIGHUP that comes while everything else is loaded would end the process.
import './reload-signal.ts';

await import('./start.ts');
