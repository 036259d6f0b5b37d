import { StoreError } from '../base/errors.ts';
import type { Context, Subject } from '../store/context.ts';

/** How long the store may take to show what it did not confirm: a commit that waits for a standby is not visible before. */
const VISIBLE_WITHIN_MS = 600_000;

/**
 * Makes something durable that is sent after that. Where the store fails, nothing is sent, but the store may have it all the
 * same: then `withdraw` records that nothing was sent, as soon as the store shows it. Throws what `begin` throws.
 * @param withdraw gives false while the store does not show what was begun. Throws StoreError
 */
export async function beginOrWithdraw<Begun>(
  context: Context,
  of: Subject,
  begin: () => Promise<Begun>,
  withdraw: () => Promise<boolean>,
): Promise<Begun> {
  const began = context.now().getTime();
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    context.lateWrites.add(of, async () => {
      if (await withdraw()) return 'stored';
      return context.now().getTime() - began > VISIBLE_WITHIN_MS ? 'not needed' : 'not yet';
    });
    throw error;
  }
}
