/** How much memory a body and a result take in the process that serves them, with the client of S3. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { hashOfInput, kinds, MB, type Place, startPlace } from './place.ts';

/** What a process takes besides bodies: buffers of sockets, code that is compiled, memory that is not collected yet. */
const REST = 16 * MB;
const MOST = 20 * MB;

let place: Place;

beforeEach(async () => {
  place = await startPlace();
});
afterEach(() => place.stop());

it.each(Object.entries(kinds))('keeps a body of 20 MB within three times its size: %s', async (_, bodyOf) => {
  const body = bodyOf(MOST);
  const before = await place.peak();
  expect(await place.submit(body)).toBe(200);
  expect(place.written).toEqual([hashOfInput(body)]);
  expect(await place.peak()).toBeLessThan(before + 3 * body.length + REST);
});

it.each(Object.entries(kinds))('keeps an output of 20 MB within three times its size: %s', async (_, outputOf) => {
  const output = outputOf(MOST);
  const before = await place.peak();
  expect((await place.record(output)).includes(output)).toBe(true);
  expect(await place.peak()).toBeLessThan(before + 3 * output.length + REST);
});
