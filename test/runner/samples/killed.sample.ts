/** Kills the process of the file, so that it exits without an event of Jest's framework. */
import { it } from '@jest/globals';

it('kills its process', () => {
  process.kill(process.pid, 'SIGKILL');
});
