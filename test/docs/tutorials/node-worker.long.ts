import { followTutorial } from './follow.ts';

followTutorial('node-worker');
