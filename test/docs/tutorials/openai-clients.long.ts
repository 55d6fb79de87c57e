import { followTutorial } from './follow.ts';

followTutorial('openai-clients');
