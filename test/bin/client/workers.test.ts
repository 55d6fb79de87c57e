import { describe, expect, it } from '@jest/globals';
import { useClient } from './use-client.ts';

const NOW = new Date().toISOString();
const living = {
  id: 'a1',
  state: 'RUNNING',
  since: NOW,
  seenAt: NOW,
  revision: 4,
  jobs: ['j1'],
  completed: 7,
  failed: 3,
};
const stopped = {
  ...{ id: 'b2', endedAt: NOW, readySince: NOW, revision: 3, type: 'g6.xlarge', exitCode: 137, dollars: 0.25 },
  ...{ stopCode: 'EssentialContainerExited', reason: 'OutOfMemoryError', completed: 40, failed: 2 },
  lastError: { job: 'j0', at: NOW, code: 'WORKER_ERROR', error: 'CUDA out of memory' },
};

const { printed, run } = useClient(({ pathname }) =>
  pathname.endsWith('/ended') ? { workers: [stopped], readTo: NOW } : { workers: [living] },
);

describe('workers ls', () => {
  it('lists the workers that live', async () => {
    await run('workers', 'ls', 'chat');
    expect(printed.join('\n')).toMatch(/^WORKER +STATE .*\na1 +RUNNING .* 4 +7 +3 .*j1$/);
  });

  it('lists with --all what workers that have stopped did and cost, their last error, and why they stopped', async () => {
    await run('workers', 'ls', 'chat', '--all');
    const [head, row] = printed.slice(-2);
    expect(head).toMatch(/^STOPPED WORKER .* RELEASE +DONE +FAILED +COST +TYPE +EXIT +WHY$/);
    expect(row).toMatch(/^b2 .* 3 +40 +2 +\$0\.25 +g6\.xlarge +137 +OutOfMemoryError; last error: CUDA out of memory$/);
  });
});
