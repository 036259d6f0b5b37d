import { processIo } from '../../cli/base/io.ts';
import { runCli } from '../../cli/program.ts';

/** The command as `cli/main.ts` runs it, which also tells the most memory that it had. */
process.exitCode = await runCli(process.argv.slice(2), processIo());
process.send?.({ rss: process.resourceUsage().maxRSS * 1024 });
process.disconnect?.();
