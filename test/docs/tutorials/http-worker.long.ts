import { followTutorial } from './follow.ts';

followTutorial('http-worker');
