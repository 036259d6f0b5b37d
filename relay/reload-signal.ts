let isAsked = false;
let reload: (() => void) | undefined;

process.on('SIGHUP', () => {
  if (reload) reload();
  else isAsked = true;
});

/**
 * Calls `listener` at each SIGHUP from now on, and at once if a SIGHUP arrived earlier: the configuration may have
 * changed since it was read.
 */
export function onReloadSignal(listener: () => void): void {
  reload = listener;
  if (isAsked) listener();
}
