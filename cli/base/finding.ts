/** How a check ended. `unknown`: the gateway's reaction does not tell. `skipped`: nothing was tried. */
export type FindingStatus = 'ok' | 'wrong' | 'unknown' | 'skipped';

/** One check and what came of it. */
export type Finding = {
  check: string;
  status: FindingStatus;
  says: string;
  /** What to do next. */
  next?: string;
  /** The path of the setting that is wrong, and where it is known the value that works and the file's. */
  setting?: string;
  works?: unknown;
  file?: unknown;
};

/** A setting that is wrong, and the value that works. */
export function wrongSetting(
  check: string,
  { setting, works, file }: { setting: string; works: unknown; file: unknown },
  next?: string,
): Finding {
  const says = `${setting}: ${JSON.stringify(works)} works; the file says ${JSON.stringify(file)}`;
  return { check, status: 'wrong', says, setting, works, file, ...(next === undefined ? {} : { next }) };
}

/** A check whose result the gateway's reactions do not tell. */
export function cannotTell(check: string, why: string, next?: string): Finding {
  return {
    check,
    status: 'unknown',
    says: `cannot be told by a query: ${why}`,
    ...(next === undefined ? {} : { next }),
  };
}

/** A check that was not made. */
export function skipped(check: string, why: string, next?: string): Finding {
  return { check, status: 'skipped', says: why, ...(next === undefined ? {} : { next }) };
}
