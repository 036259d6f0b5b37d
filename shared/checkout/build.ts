/** `dist/build.json`: what the widget's build made, for the relay to serve. Paths are relative to `dist`. */
export type BuildManifest = {
  /** A hash of every source that went in; another one means that the build is stale. */
  sources: string;
  /** The loader, `turnpike.js`. */
  loader: string;
  /** The form's module script and all chunks that it may load. */
  form: { entry: string; files: string[] };
  /** The form's whole style sheet, inlined into the page. */
  css: string;
  /** The module of type `RenderModule`. */
  render: string;
};
