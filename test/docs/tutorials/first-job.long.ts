import { followTutorial } from './follow.ts';

followTutorial('first-job');
