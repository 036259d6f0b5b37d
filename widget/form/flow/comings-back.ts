/**
 * Calls `refresh` whenever the shopper may be back from elsewhere: by the back button, from another tab, or out of a tunnel.
 * `leaving` tells that they are on their way to the issuer: a look would count as being back.
 */
export function onComingBack(self: Window, refresh: () => void, leaving: () => boolean): void {
  const { document } = self;
  self.addEventListener('pageshow', (event) => event.persisted && refresh());
  const back = () => document.visibilityState === 'visible' && !leaving() && refresh();
  self.addEventListener('online', back);
  document.addEventListener('visibilitychange', back);
}
