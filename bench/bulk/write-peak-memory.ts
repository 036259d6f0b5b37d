import { writeFileSync } from 'node:fs';

// Preloaded with `--import`: writes the peak memory of the process, in bytes, to the file of the variable MEMORY_FILE.
const file = process.env.MEMORY_FILE;
if (file) process.once('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
