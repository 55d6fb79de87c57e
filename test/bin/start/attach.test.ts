/** Tests what `npx gpu-endpoints worker` says when it starts a command. */
import { expect, it } from '@jest/globals';
import { textsOf } from '../../../bin/start/attach.ts';

it('says which log exists, and that lines of the command are only in its terminal', () => {
  const started = { id: 'w1', sidecarLog: '/tmp/agent.log', environment: { ENDPOINT_ID: 'echo' } };
  expect(textsOf('echo', ['python3', 'handler.py']).started(started)).toEqual([
    'python3 handler.py is worker w1 of echo.',
    expect.stringMatching(/^The agent's log is \/tmp\/agent\.log; what the command prints is only in this terminal\. /),
  ]);
});
