/** Tests the options of `npm run bench -w packages/lab -- peers`. */
import { describe, expect, it } from '@jest/globals';
import { peerNames, readOptions } from './options.ts';

describe('the options of bench -- peers', () => {
  it('run 300 jobs on every peer by default', () => {
    expect(readOptions([])).toEqual({ help: false, only: peerNames, jobs: 300, record: false });
  });

  it('select peers, in the order of the table', () => {
    expect(readOptions(['--only', 'runpod,gpu-endpoints']).only).toEqual(['gpu-endpoints', 'runpod']);
  });

  it.each([
    [['--only', 'celery'], /^--only must name peers from gpu-endpoints, .*, got 'celery'\.$/],
    [['--jobs', '0'], '--jobs must be a whole number from 1 to 100000, got 0.'],
    [['--fast'], "Unknown option '--fast'; npm run bench -w packages/lab -- peers --help lists the options."],
    [['--record', '--only', 'runpod'], '--record needs all peers: omit --only.'],
  ])('refuse %j', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });
});
