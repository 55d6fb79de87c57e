/** Measures the memory of a process that serves a body and a result, with the S3 client. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type BodyServer, hashOfInput, kinds, MB, startBodyServer } from './body-server.ts';

/**
 * Memory of a process without the output itself: buffers of sockets, compiled code, and memory that is not
 * collected yet.
 */
const REST = 16 * MB;
const MAX_BYTES = 20 * MB;

let server: BodyServer;

beforeEach(async () => {
  server = await startBodyServer();
});
afterEach(() => server.stop());

const print = (what: string, bytes: number, size: number) =>
  process.stdout.write(`${what}: ${Math.round(bytes / MB)} MB above idle, ${(bytes / size).toFixed(1)} x\n`);

it.each(Object.entries(kinds))('uses at most three times the size of a body of 20 MB: %s', async (name, bodyOf) => {
  const body = bodyOf(MAX_BYTES);
  const before = await server.peak();
  expect(await server.submit(body)).toBe(200);
  expect(server.written).toEqual([hashOfInput(body)]);
  const more = (await server.peak()) - before;
  print(`a body, ${name}`, more, body.length);
  expect(more).toBeLessThan(3 * body.length);
});

it.each(Object.entries(kinds))(
  'uses at most three times the size of an output of 20 MB: %s',
  async (name, outputOf) => {
    const output = outputOf(MAX_BYTES);
    const before = await server.peak();
    expect((await server.readStatus(output)).includes(output)).toBe(true);
    const more = (await server.peak()) - before;
    print(`an output, ${name}`, more, output.length);
    expect(more).toBeLessThan(3 * output.length + REST);
  },
);
