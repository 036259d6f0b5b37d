import type { Core } from '../model.ts';
import { hasPlans, type View } from '../state.ts';

/**
 * Loads the texts of installments and contracts for a session that had neither when its page was made. False if they
 * cannot be loaded.
 */
export async function learnPlanTexts(core: Core, view: View): Promise<boolean> {
  const { messages, locale } = core.boot;
  if (!hasPlans(view) || messages.terms) return true;
  const { fetchBoot } = await import('../texts.ts');
  const boot = await fetchBoot(location, new URLSearchParams({ locale }));
  if (boot) core.setLocale(boot);
  return boot !== undefined;
}
