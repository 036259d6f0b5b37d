/** §3: what follows from the end of a contract. Every text about ending one has it. */
export const END_OF_CONTRACT =
  'No further charge for the subscription; contracts already created are still charged at the end of their period unless cancelled by hand.';
