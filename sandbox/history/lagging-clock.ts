import { clockMessage } from './clock-message.ts';

// Preloaded into a relay that makes a history: its clock is behind by the value of its parent. Its timers are
// unchanged.
let behindMs = 0;

const machine = Date;
const now = (): number => machine.now() - behindMs;

globalThis.Date = new Proxy(machine, {
  construct: (Machine, given) => (given.length === 0 ? new Machine(now()) : Reflect.construct(Machine, given)),
  get: (Machine, name) => (name === 'now' ? now : Reflect.get(Machine, name)),
});

process.on('message', (message) => {
  const moved = clockMessage.safeParse(message);
  if (!moved.success) return;
  behindMs = moved.data.behindMs;
  process.send?.(moved.data);
});
