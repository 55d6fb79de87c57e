import { followTutorial } from './follow.ts';

followTutorial('from-runpod');
