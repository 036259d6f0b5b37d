import { Component } from 'preact';
import type { MessageKey } from '../../locales/messages.ts';
import type { CheckoutModel } from '../model.ts';
import type { OutcomeStage } from '../state.ts';
import { Page, type Tone } from '../view/page.tsx';
import { isPending } from './outcome.ts';

const TONES = {
  leaving: 'busy',
  checking: 'busy',
  confirming: 'busy',
  approved: 'good',
  failed: 'bad',
  expired: 'bad',
  broken: 'bad',
  incomplete: 'bad',
} as const satisfies Record<OutcomeStage['name'], Tone>;

type Props = { checkout: CheckoutModel; stage: OutcomeStage; hosted: boolean; focus: boolean };

/** What stands in the form's place once it is out of the shopper's hands. Its heading takes the focus, to be read out. */
export class Outcome extends Component<Props> {
  #heading: HTMLHeadingElement | null = null;

  override componentDidMount(): void {
    if (this.props.focus) this.#heading?.focus();
  }

  override componentDidUpdate(before: Props): void {
    if (before.stage.name !== this.props.stage.name) this.#heading?.focus();
  }

  override render() {
    const { checkout, stage, hosted } = this.props;
    const { say } = checkout;
    const { view, told } = checkout.state;
    const { order_no, card, returns, session_id, merchant_name } = view;
    const text: MessageKey = `${stage.name}_text`;
    const approved = stage.name === 'approved';
    return (
      <Page
        tone={TONES[stage.name]}
        title={say(`${stage.name}_title`)}
        text={say(text, { amount: checkout.money() })}
        headingRef={(heading) => {
          this.#heading = heading;
        }}
      >
        {/* There before it is filled: a live region that comes later is not read out. */}
        <div role="status">{isPending(stage) && told && <p class="told calm">{checkout.tell(told)}</p>}</div>
        {approved && (order_no || card) && (
          <dl>
            {order_no && <Row name={say('order_no')} value={order_no} />}
            {card && <Row name={say('paid_with')} value={card.replace(/^.*\*/, '•••• ')} />}
          </dl>
        )}
        {stage.name === 'leaving' && (
          <a href={stage.url} target="_top">
            {say('go_on')}
          </a>
        )}
        {hosted && returns && ['approved', 'failed', 'expired'].includes(stage.name) && (
          <a href={`/return/${session_id}`}>{say('back', { merchant: merchant_name })}</a>
        )}
      </Page>
    );
  }
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
