import { refuse } from './refuse.ts';
import { readSettings } from './settings.ts';

/**
 * `turnpike-relay check`: reads the settings and the secrets like a start, and starts nothing. With `--reload` it checks for a relay
 * that is running, which keeps its present settings if the check fails.
 */
try {
  readSettings(process.env);
} catch (error) {
  await refuse(error, process.argv[2] === '--reload' ? 'error' : 'fatal');
}
