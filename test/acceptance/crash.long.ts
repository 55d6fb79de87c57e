import { describe, it } from '@jest/globals';
import { loseNothing } from './killed-service.ts';
import { stopService } from './local-service.ts';

describe('kill -9 of npm start and all its children', () => {
  it('loses no job whose submission was answered', async () => {
    await stopService(await loseNothing({ submissions: 200, killAfter: 60 }));
  }, 300_000);
});
