// First, because a SIGHUP that arrives while the other modules load would end the process.
import './reload-signal.ts';

await import('./start.ts');
