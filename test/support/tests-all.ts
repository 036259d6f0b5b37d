/** True in `npm run test:all`, which repeats tests where `npm test` runs a part of them. */
export const testsAll = process.env.TURNPIKE_TESTS === 'all';
