import { describe, expect, it } from '@jest/globals';
import { measureStreams } from '../calls/streams.ts';
import { rowsOf } from './figures.ts';
import { readOptions } from './options.ts';
import { faultIn, type Received } from './reader.ts';

/** Milliseconds since the epoch. */
const MADE = 1_000;

describe('npm run bench -w packages/lab -- streams', () => {
  it('measures 1, 8 and 20 streams of 50 events a second by default', () => {
    expect(readOptions([])).toEqual({ help: false, by: 'openai', streams: [1, 8, 20], seconds: 20, rate: 50 });
  });

  it.each([
    [['--streams', '1,33'], '--streams must be a whole number from 1 to 32, got 33.'],
    [['--seconds', '0'], '--seconds must be a whole number from 1 to 60, got 0.'],
    [['--by', 'curl'], '--by must be runpod or openai, got curl.'],
    [['--rate', 'x'], '--rate must be a whole number from 1 to 200, got x.'],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  const eventsOf = (numbers: readonly number[], late = 10): Received[] =>
    numbers.map((number) => ({ job: 'a', number, made: MADE, received: MADE + late }));

  it.each([
    [[0, 1, 2], undefined],
    [[0, 2], 'event 2 instead of 1 of job a'],
    [[0, 1, 1, 2], 'event 1 instead of 2 of job a'],
    [[1, 0, 2], 'event 1 instead of 0 of job a'],
    [[0, 1], '2 events instead of 3 of job a'],
  ])('finds the fault in the events %j', (numbers, fault) => {
    expect(faultIn('a', 3, eventsOf(numbers))).toBe(fault);
  });

  it('finds an event of another job', () => {
    expect(faultIn('b', 1, eventsOf([0]))).toBe('an event of job a in the stream of job b');
  });

  it.each([
    [1, 100, true],
    [1, 101, false],
    [8, 200, true],
    [8, 201, false],
    [20, 5_000, true],
  ])('checks the bounds of %d streams if each event takes %d ms', (streams, late, isMet) => {
    const rows = rowsOf({ streams, seconds: 1, events: [eventsOf([0, 1, 2], late)], faults: [], calls: [] });
    expect(rows.every((row) => row.isMet ?? true)).toBe(isMet);
  });
});

describe('the figures of a stream', () => {
  it('have at most 20 writes and 20 reads a second after the first, however many chunks are streamed', async () => {
    for (const figures of await measureStreams()) {
      // A stream of 20 seconds has three reads more: the first, one after the last write and one after the end.
      expect(figures.putItem).toBeLessThanOrEqual(20.1);
      expect(figures.query).toBeLessThanOrEqual(20.2);
      expect(figures.wruOfItems).toBe(figures.chunks);
      if (figures.chunks >= 50) expect(figures.wru).toBeLessThan(0.7 * figures.wruOfItems);
    }
  });
});
