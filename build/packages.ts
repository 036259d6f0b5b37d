const MODULE = /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

/**
 * The npm packages that modules belong to, sorted, as paths such as `node_modules/preact`. `modules` are Rolldown's
 * names: absolute paths, or names of its own, which belong to no package.
 */
export function packagesOf(modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap((id) => MODULE.exec(id)?.[1] ?? []))].toSorted();
}
