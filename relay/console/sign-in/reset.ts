import { failureFields } from '../../base/log.ts';
import type { Context } from '../../context/context.ts';
import { isReset, type Person } from './person.ts';
import { auditReset } from './sign-in-audit.ts';

/** Removes the second factors that the settings reset, when the console starts. Until then they do not count. */
export async function removeReset(context: Context): Promise<void> {
  const named = context.config.console.people.filter(({ second_factor_reset }) => second_factor_reset !== undefined);
  try {
    for (const person of named) await removeIfReset(context, person);
  } catch (error) {
    context.log.warn(failureFields(error), 'console: second factors that were reset are not removed yet');
  }
}

/** Removes a person's second factor if the settings reset it. The relay that does so writes it to the audit log. Throws StoreError. */
export async function removeIfReset(context: Context, person: Person): Promise<void> {
  const factor = (await context.store.credentials.get(person.name))?.factor;
  if (!factor || !isReset(person, factor, context.now())) return;
  if (await context.store.credentials.removeFactor(person.name, factor.enrolled_at)) await auditReset(context, person);
}
