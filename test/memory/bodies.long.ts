/** How much memory a body and a result take in the process that serves them, with the client of S3. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { hashOfInput, kinds, MB, type Place, startPlace } from './place.ts';

/** What a process takes besides an output: buffers of sockets, code that is compiled, memory that is not collected yet. */
const REST = 16 * MB;
const MOST = 20 * MB;

let place: Place;

beforeEach(async () => {
  place = await startPlace();
});
afterEach(() => place.stop());

const print = (what: string, bytes: number, size: number) =>
  process.stdout.write(`${what}: ${Math.round(bytes / MB)} MB above idle, ${(bytes / size).toFixed(1)} x\n`);

it.each(Object.entries(kinds))('keeps a body of 20 MB within three times its size: %s', async (name, bodyOf) => {
  const body = bodyOf(MOST);
  const before = await place.peak();
  expect(await place.submit(body)).toBe(200);
  expect(place.written).toEqual([hashOfInput(body)]);
  const more = (await place.peak()) - before;
  print(`a body, ${name}`, more, body.length);
  expect(more).toBeLessThan(3 * body.length);
});

it.each(Object.entries(kinds))('keeps an output of 20 MB within three times its size: %s', async (name, outputOf) => {
  const output = outputOf(MOST);
  const before = await place.peak();
  expect((await place.record(output)).includes(output)).toBe(true);
  const more = (await place.peak()) - before;
  print(`an output, ${name}`, more, output.length);
  expect(more).toBeLessThan(3 * output.length + REST);
});
