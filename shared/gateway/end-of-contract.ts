/** §3: the effect of ending a contract. Every text about it contains this sentence. */
export const END_OF_CONTRACT =
  'No further charge for the subscription; contracts already created are still charged at the end of their period unless cancelled by hand.';
