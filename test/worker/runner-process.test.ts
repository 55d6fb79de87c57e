/** Tests the process of the handler from its parent. */
import { afterEach, expect, it, jest } from '@jest/globals';
import { startRunner } from '../../worker/sdk/runner-process.ts';

const { argv } = process;
afterEach(() => {
  process.argv = argv;
  jest.restoreAllMocks();
});

it('signals no process group after the runner has exited, because another one can have its id', async () => {
  // The parent starts `node --version`, which exits immediately.
  process.argv = [process.execPath, '--version'];
  const runner = startRunner();
  expect(await runner.ended).toBe('exit code 0');
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  runner.kill();
  expect(kill).not.toHaveBeenCalled();
});
