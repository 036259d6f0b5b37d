import { Component } from 'preact';
import type { CheckoutModel, DetailsModule, Parts, Tree } from '../model.ts';
import { needsDetails, type State, type View } from '../state.ts';
import { inputId } from '../view/field.tsx';
import { Chooser } from './chooser.tsx';
import { ChosenPlan, Installments } from './installments.tsx';
import { SavedCards } from './saved-cards.tsx';
import { Terms } from './terms.tsx';

/** The parts that this view needs, with the details if it has any. */
export async function partsFor(view: View): Promise<Parts> {
  return partsWith(needsDetails(view) ? await (await import('../details/details.tsx')).loadDetails(view) : undefined);
}

/** The parts, with the details if a form has any. */
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

/** The fields that a card payment adds to the request: the chosen installments, and whether to save a typed card. */
function choicesOf({ method, token, view, values }: State): Tree {
  if (method !== 'card') return {};
  const keeps = view.offers_saving && !token && values.save_card;
  const { installments, installments_id } = view.installment_options[Number(values.installments ?? 0)] ?? {};
  return {
    ...(installments !== undefined && { installments }),
    ...(installments_id !== undefined && { installments_id }),
    ...(keeps && { token_flag: '1' }),
  };
}

/**
 * Asks whether to save the typed card. It is never ticked by itself; a tick from before the script started is adopted.
 */
class SaveCard extends Component<{ checkout: CheckoutModel }> {
  #box: HTMLInputElement | null = null;

  override componentDidMount(): void {
    if (this.#box?.checked) this.#take(true);
    else this.#write();
  }

  override componentDidUpdate(): void {
    this.#write();
  }

  override render() {
    return (
      <label class="check">
        <input
          ref={(box) => {
            this.#box = box;
          }}
          id={inputId('save_card')}
          type="checkbox"
          onChange={(event) => this.#take(event.currentTarget.checked)}
        />
        <span>{this.props.checkout.t('save_card')}</span>
      </label>
    );
  }

  #take(checked: boolean): void {
    this.props.checkout.type('save_card', checked ? '1' : '');
  }

  #write(): void {
    if (this.#box) this.#box.checked = Boolean(this.props.checkout.state.values.save_card);
  }
}
