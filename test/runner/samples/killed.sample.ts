/** Its process ends without an event of Jest's framework. */
import { it } from '@jest/globals';

it('ends its process', () => {
  process.kill(process.pid, 'SIGKILL');
});
