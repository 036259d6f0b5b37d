/** Without this, Next takes the repository around the example for its root. */
export default { turbopack: { root: import.meta.dirname } };
