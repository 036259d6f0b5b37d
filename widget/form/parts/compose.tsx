import type { CheckoutModel, DetailsModule, Parts } from '../model.ts';
import { Chooser } from './chooser.tsx';
import { ChosenPlan, Installments } from './installments.tsx';
import { choicesOf } from './request.ts';
import { SaveCard } from './save-card.tsx';
import { SavedCards } from './saved-cards.tsx';
import { Terms } from './terms.tsx';

/** The parts, with the details where a form asks for any. */
export function partsWith(details: DetailsModule | undefined): Parts {
  return {
    findFields: (checkout) => details?.findFields(checkout) ?? [],
    requestOf: (checkout) => ({ ...details?.treeOf(checkout), ...choicesOf(checkout.state) }),
    place: (checkout, path) => details?.place(checkout, path) ?? path,
    Chooser,
    SavedCards,
    SaveCard: ({ checkout }: { checkout: CheckoutModel }) =>
      checkout.state.view.offers_saving ? <SaveCard checkout={checkout} /> : null,
    Between: ({ checkout }: { checkout: CheckoutModel }) => (
      <>
        {isCard(checkout) && <Installments checkout={checkout} />}
        {details && <details.Details checkout={checkout} own={true} />}
      </>
    ),
    Below: ({ checkout }: { checkout: CheckoutModel }) => (
      <>
        {details && <details.Details checkout={checkout} own={false} />}
        {isCard(checkout) && <Terms checkout={checkout} />}
        {isCard(checkout) && <ChosenPlan checkout={checkout} />}
      </>
    ),
  };
}

function isCard({ state }: CheckoutModel): boolean {
  return state.method === 'card';
}
