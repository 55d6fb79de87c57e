/** Tests the contract's largest bodies in both directions, byte for byte, and bodies that are one byte larger. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { payloadLimits } from '../../core/limits.ts';
import { minDirectBytes } from '../../core/operations/table.ts';
import { PAYLOAD_LIMIT } from '../../packages/emulator/functions/functions.ts';
import { sharedAssembly } from './assembly.ts';
import { askPython, bodyOf, curl, digestOf, inputOf, type Operation, sendBeginning } from './large-bodies.ts';
import {
  type Answer,
  call,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
} from './local-service.ts';
import { withPython } from './workers/kinds-here.ts';
import { pythonWithSdk } from './workers/python.ts';

const operations = Object.keys(payloadLimits.body) as Operation[];
/** Milliseconds for a job with 20 MB of input and output on a busy machine. */
const WITHIN = 120_000;

let service: LocalService;

const url = (operation: Operation) => `${service.JobApiUrl}/echo/${operation}`;

/** Returns the unparsed JSON of the output in the record. */
function outputIn(record: string, input: string): string {
  const start = record.indexOf('"output":') + '"output":'.length;
  return record.slice(start, start + input.length);
}

/**
 * Returns the job record when the submitted job has ended.
 * @param answered the response to the submission
 */
async function recordOf(operation: Operation, answered: string): Promise<string> {
  if (operation === 'runsync') return answered;
  const { id } = JSON.parse(answered) as { id: string };
  return (await jobIn(service, id, 'COMPLETED', WITHIN)).text;
}

/** Sends the request as RunPod's JavaScript client does. */
const fetchLike = (operation: Operation, body: string): Promise<Answer> =>
  call(service, 'POST', url(operation), {
    body,
    headers: {
      Authorization: `Bearer ${service.ApiKey}`,
      'content-type': 'application/json',
      'User-Agent': 'RunPod-JS-SDK/1.1.2 (Unknown Environment)',
    },
  });

describe('a deployment with the ingress', () => {
  beforeAll(async () => {
    service = await startService(newStateDir(), { args: ['--assembly', await sharedAssembly()] });
  }, 180_000);
  afterAll(() => stopService(service));

  it("accepts bodies of /run around the maximum size of a function's event", async () => {
    // In a function's event, each of these bytes takes two bytes.
    const swelling = (bytes: number) => {
      const left = bytes - '{"input":{"a":""}}'.length;
      return `{"input":{"a":"${'\\"'.repeat(left / 2)}${'x'.repeat(left % 2)}"}}`;
    };
    for (const bytes of [minDirectBytes.run - 1, minDirectBytes.run, 6_291_456, payloadLimits.body.run])
      expect([bytes, (await fetchLike('run', swelling(bytes))).status]).toEqual([bytes, 200]);
  }, 120_000);

  describe.each(operations)('/%s', (operation) => {
    const limit = payloadLimits.body[operation];

    it(`accepts ${limit} bytes from curl, and returns them byte for byte`, async () => {
      const input = inputOf(limit);
      expect(Buffer.byteLength(bodyOf(input))).toBe(limit);
      const { status, text } = await curl(service, url(operation), bodyOf(input));
      expect(status).toBe(200);
      expect(digestOf(outputIn(await recordOf(operation, text), input))).toBe(digestOf(input));
    }, 240_000);

    it(`accepts ${limit} bytes from a JavaScript client`, async () => {
      const input = inputOf(limit);
      const { status, text } = await fetchLike(operation, bodyOf(input));
      expect(status).toBe(200);
      expect(digestOf(outputIn(await recordOf(operation, text), input))).toBe(digestOf(input));
    }, 240_000);

    it('answers 413 to a body that is one byte larger', async () => {
      const { status, text } = await curl(service, url(operation), bodyOf(inputOf(limit + 1)));
      expect([status, JSON.parse(text).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }, 120_000);

    it('answers 413 to a body that is one byte larger before the client has sent it all', async () => {
      const { status, text } = await sendBeginning(service, url(operation), bodyOf(inputOf(limit + 1)));
      expect([status, JSON.parse(text).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }, 120_000);

    it('answers 413 to a body that is one byte larger and has no Content-Length', async () => {
      const chunked = ['--header', 'Transfer-Encoding: chunked'];
      const { status, text } = await curl(service, url(operation), bodyOf(inputOf(limit + 1)), chunked);
      expect([status, JSON.parse(text).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }, 120_000);

    if (withPython)
      it(`accepts ${limit} bytes from RunPod's Python client, and refuses a body that is one byte larger`, async () => {
        const python = await pythonWithSdk();
        expect(await askPython(python, service, operation, limit)).toEqual({ same: true });
        expect((await askPython(python, service, operation, limit + 1)).error).toContain('413');
      }, 480_000);
  });
});

describe('a deployment without the ingress', () => {
  beforeAll(async () => {
    service = await startService(newStateDir(), { args: ['-c', 'ingress=off'] });
  }, 240_000);
  afterAll(() => stopService(service));

  it.each(operations)("accepts bodies of /%s that fit into a function's event, byte for byte", async (operation) => {
    const input = inputOf(3_000_000);
    const { status, text } = await fetchLike(operation, bodyOf(input));
    expect(status).toBe(200);
    expect(digestOf(outputIn(await recordOf(operation, text), input))).toBe(digestOf(input));
  });

  it.each(operations)(
    'answers 413 to larger bodies of /%s, and names the ingress as the solution',
    async (operation) => {
      const { status, json } = await fetchLike(operation, bodyOf(inputOf(PAYLOAD_LIMIT)));
      expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      expect(json.error).toContain('ingress');
    },
  );
});
