import { Logger } from '@aws-lambda-powertools/logger';
import { afterEach, expect, it, jest } from '@jest/globals';
import { createLog } from '../../worker/log.ts';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('the agent writes lines like those of the functions', () => {
  jest.useFakeTimers({ now: 1_700_000_000_123, advanceTimers: true });
  const lines: string[] = [];
  const fields = { jobId: 'one', holds: true, held: 2, nested: { list: ['a', null] }, missing: undefined };
  createLog((line) => lines.push(line)).info('Job taken.', fields);
  const logger = new Logger({ serviceName: 'agent' });
  const printed = jest.spyOn(console, 'info').mockImplementation(() => undefined);
  logger.info('Job taken.', fields);
  const [[line] = []] = printed.mock.calls;
  expect(lines).toEqual([expect.stringMatching(/^.*\n$/)]);
  expect(JSON.parse(lines[0] ?? '')).toEqual(JSON.parse(String(line)));
});
