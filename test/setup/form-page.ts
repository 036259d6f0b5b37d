import { beforeEach } from 'vitest';
import { startOver } from '../../widget/form/testing.tsx';

// Files that share a process also share its page.
beforeEach(startOver);
