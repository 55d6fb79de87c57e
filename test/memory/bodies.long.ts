/** Measures the memory of a body and a result in the process that serves them, with the client of S3. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type BodyServer, hashOfInput, kinds, MB, startBodyServer } from './body-server.ts';

/** Memory of a process besides an output: buffers of sockets, compiled code, memory that is not collected yet. */
const REST = 16 * MB;
const MOST = 20 * MB;

let server: BodyServer;

beforeEach(async () => {
  server = await startBodyServer();
});
afterEach(() => server.stop());

const print = (what: string, bytes: number, size: number) =>
  process.stdout.write(`${what}: ${Math.round(bytes / MB)} MB above idle, ${(bytes / size).toFixed(1)} x\n`);

it.each(Object.entries(kinds))('keeps a body of 20 MB within three times its size: %s', async (name, bodyOf) => {
  const body = bodyOf(MOST);
  const before = await server.peak();
  expect(await server.submit(body)).toBe(200);
  expect(server.written).toEqual([hashOfInput(body)]);
  const more = (await server.peak()) - before;
  print(`a body, ${name}`, more, body.length);
  expect(more).toBeLessThan(3 * body.length);
});

it.each(Object.entries(kinds))('keeps an output of 20 MB within three times its size: %s', async (name, outputOf) => {
  const output = outputOf(MOST);
  const before = await server.peak();
  expect((await server.readStatus(output)).includes(output)).toBe(true);
  const more = (await server.peak()) - before;
  print(`an output, ${name}`, more, output.length);
  expect(more).toBeLessThan(3 * output.length + REST);
});
