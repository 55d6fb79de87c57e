/** Its process exits without an event of Jest's framework. */
import { it } from '@jest/globals';

it('kills its process', () => {
  process.kill(process.pid, 'SIGKILL');
});
