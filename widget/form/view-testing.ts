import type { CheckoutView } from '../../shared/checkout/view.ts';

/** A session that is open for a card, for tests and the gallery. */
export const open: CheckoutView = {
  session_id: 'cs_1',
  order_no: 'A-1',
  status: 'open',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  merchant_name: 'Demo Shop',
  methods: [{ type: 'card' }],
  installment_options: [],
  collect: [],
  attempts_left: 5,
  returns: true,
  prefill: {},
  saved_cards: [],
};
