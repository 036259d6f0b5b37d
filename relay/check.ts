import { refuse } from './refuse.ts';
import { readSettings } from './settings.ts';

/** `turnpike-relay check`: reads the settings and the secrets as a start does, and starts nothing. */
try {
  readSettings(process.env);
} catch (error) {
  await refuse(error);
}
