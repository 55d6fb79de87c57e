import { followTutorial } from './follow.ts';

followTutorial('webhooks');
