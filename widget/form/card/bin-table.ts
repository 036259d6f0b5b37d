import { compileBins } from '../../build/bins.ts';
import type { BinTable } from './brand.ts';

/** The table of brands. Vite runs this at build time and puts the table in its place: see `precompiled` in vite.config.ts. */
export const binTable: BinTable = compileBins();
