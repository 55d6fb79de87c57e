/** Measures one process with as many bodies and results of maximum size as the budget allows. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type BodyServer, hashOfInput, kinds, MB, startBodyServer } from './body-server.ts';

const AT_ONCE = 16;
const MAX_BYTES = 20 * MB;

let server: BodyServer;

beforeEach(async () => {
  server = await startBodyServer();
});
afterEach(() => server.stop());

it.each(Object.entries(kinds))(
  'uses at most three times the size of 16 bodies and 16 outputs of 20 MB: %s',
  async (name, bodyOf) => {
    const body = bodyOf(MAX_BYTES);
    const all = <Result>(call: () => Promise<Result>) => Promise.all(Array.from({ length: AT_ONCE }, call));
    const before = await server.peak();
    expect(new Set(await all(() => server.submit(body)))).toEqual(new Set([200]));
    expect(server.written).toEqual(Array(AT_ONCE).fill(hashOfInput(body)));
    const submitted = await server.peak();
    const answers = await all(async () => (await server.readStatus(body)).includes(body));
    expect(new Set(answers)).toEqual(new Set([true]));
    const after = await server.peak();
    process.stdout.write(
      `${name}: ${Math.round((submitted - before) / MB)} MB of bodies, ${Math.round((after - before) / MB)} MB with outputs\n`,
    );
    expect(after).toBeLessThan(before + 3 * AT_ONCE * body.length);
  },
);
