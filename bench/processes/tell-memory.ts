import { writeFileSync } from 'node:fs';

// Imported before a program: writes the most memory that it had, in bytes, into the file that MEMORY_FILE names.
const file = process.env.MEMORY_FILE;
if (file) process.once('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
