export { addressRule } from './address.ts';
export { writePostalCode } from './postal-codes.ts';
export { stateCode } from './states.ts';
