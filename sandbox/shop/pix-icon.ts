/** A drawing of Pix, as a shop gives it with the method: `icon` is a data: URL. */
export const pixIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%2332bcad'%3E%3Cpath d='M5.3 8.3 12 1.6l6.7 6.7h-1.4c-.9 0-1.7.3-2.3.9l-3 3-3-3c-.6-.6-1.4-.9-2.3-.9zm0 7.4 6.7 6.7 6.7-6.7h-1.4c-.9 0-1.7-.3-2.3-.9l-3-3-3 3c-.6.6-1.4.9-2.3.9zM4 9.6 1.6 12 4 14.4h2.7c.5 0 .9-.2 1.3-.5l2-1.9-2-1.9c-.4-.3-.8-.5-1.3-.5zm16 0 2.4 2.4-2.4 2.4h-2.7c-.5 0-.9-.2-1.3-.5L14.1 12l1.9-1.9c.4-.3.8-.5 1.3-.5z'/%3E%3C/svg%3E";
