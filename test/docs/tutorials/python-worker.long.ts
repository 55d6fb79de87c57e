import { followTutorial } from './follow.ts';

followTutorial('python-worker');
