import { beforeEach } from 'vitest';
import { startOver } from '../../widget/form/testing.tsx';

// Files that share a process share its page, too.
beforeEach(startOver);
