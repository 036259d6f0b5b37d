/** One turn of the processes: short beside what a shopper notices, long beside what starting and stopping costs. */
const TURN_MS = 40;

/**
 * Makes the processes of a group `times` slower, as on a slow phone: it stops them for most of each turn. Returns what ends this.
 */
export function slowDown(group: number, times: number): () => void {
  let timer: NodeJS.Timeout;
  const run = () => {
    process.kill(-group, 'SIGCONT');
    timer = setTimeout(stop, TURN_MS / times);
  };
  const stop = () => {
    process.kill(-group, 'SIGSTOP');
    timer = setTimeout(run, TURN_MS - TURN_MS / times);
  };
  run();
  return () => {
    clearTimeout(timer);
    process.kill(-group, 'SIGCONT');
  };
}
