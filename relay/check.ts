import { refuse } from './refuse.ts';
import { readSettings } from './settings.ts';

/** `turnpike-relay check`: reads the settings and the secrets like a start, and starts nothing. */
try {
  readSettings(process.env);
} catch (error) {
  await refuse(error);
}
