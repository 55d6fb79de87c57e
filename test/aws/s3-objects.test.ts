/** Reads and writes objects, in the emulator of S3 and in a server that replaces S3. */
import { crc32 } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createS3Objects } from '../../aws/jobs/s3-objects.ts';
import { eventually } from '../../packages/emulator/test/small-service.ts';
import { holdTime, passTime } from '../../packages/emulator/test/time-limits.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { dropConnection, noResponse, type Respond, responseOf, type SmallAws, startSmallAws } from './small-aws.ts';

const variables = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  PAYLOADS_BUCKET: 'payloads',
};
const KEY = '2/echo/j1/output';
const content = Buffer.from('{"answer":42}');

const checksumOf = (bytes: Buffer) => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString('base64');
};
const failure = (status: number, code: string) =>
  responseOf(status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No, ${code}.</Message></Error>`);

let before: NodeJS.ProcessEnv;
let aws: SmallAws;

beforeEach(async () => {
  before = { ...process.env };
  aws = await startSmallAws();
});
afterEach(() => {
  jest.useRealTimers();
  process.env = before;
  aws.stop();
});

function callSmallAws(more: Readonly<Record<string, string>> = {}): void {
  for (const name of ['AWS_SESSION_TOKEN', 'AWS_MAX_ATTEMPTS', 'AWS_ENDPOINT_URL_S3']) delete process.env[name];
  Object.assign(process.env, variables, { AWS_ENDPOINT_URL: aws.url }, more);
}

/** Responds with the beginning of an object. */
const beginning =
  (length: number, onClose: () => void): Respond =>
  (response) => {
    response.on('close', onClose);
    response.writeHead(200, { 'content-length': length }).write(Buffer.alloc(length / 3));
  };

describe('objects in the emulator', () => {
  useEmulatedDeployment();
  // Every character that a key can have and that paths or signatures contain encoded.
  const key = "2/echo/j1/it's (a) *key*! ~ +=&?#%20ü/output";

  it('are stored so that the SDK reads them', async () => {
    await createS3Objects().write(key, content);
    const { Body, ContentType } = await new S3Client({ forcePathStyle: true }).send(
      new GetObjectCommand({ Bucket: 'payloads', Key: key }),
    );
    expect(await Body?.transformToString()).toBe(content.toString());
    expect(ContentType).toBe('application/json');
  });

  it('are read as the SDK stored them', async () => {
    const large = Buffer.alloc(3_000_000, 'payload');
    const stored = new PutObjectCommand({ Bucket: 'payloads', Key: `${key}#2`, Body: large });
    await new S3Client({ forcePathStyle: true }).send(stored);
    const lengths: number[] = [];
    const read = await createS3Objects().read(`${key}#2`, (length) => lengths.push(length));
    expect(Buffer.compare(Buffer.from(read), large)).toBe(0);
    expect(lengths).toEqual([large.length]);
  });

  it('that do not exist cause the error NoSuchKey', async () => {
    await expect(createS3Objects().read('2/echo/none')).rejects.toMatchObject({
      name: 'NoSuchKey',
      $fault: 'client',
      $metadata: { httpStatusCode: 404, attempts: 1 },
    });
  });
});

describe('a write of an object', () => {
  it('sends the content with its length, type and checksum', async () => {
    callSmallAws();
    aws.respond(responseOf(200));
    await createS3Objects().write(KEY, content);
    expect(aws.received[0]).toMatchObject({
      method: 'PUT',
      path: `/payloads/${KEY}?x-id=PutObject`,
      body: content,
      headers: {
        'content-type': 'application/json',
        'content-length': `${content.length}`,
        'x-amz-checksum-crc32': checksumOf(content),
      },
    });
  });

  it.each<[string, Respond]>([
    ['the status is 500', failure(500, 'InternalError')],
    ['the status is 503', failure(503, 'SlowDown')],
    ['the status is 429', failure(429, 'TooManyRequests')],
    ['S3 waited too long for the content', failure(400, 'RequestTimeout')],
    ['the connection is dropped', dropConnection],
  ])('is repeated with the same content if %s', async (_, fault) => {
    callSmallAws();
    aws.respond(fault, fault, responseOf(200));
    await createS3Objects().write(KEY, content);
    expect(aws.received.map(({ body }) => body)).toEqual([content, content, content]);
  });

  it('fails with the error of S3 after three attempts, or as many as the environment says', async () => {
    callSmallAws();
    aws.respond(failure(503, 'SlowDown'));
    await expect(createS3Objects().write(KEY, content)).rejects.toMatchObject({
      name: 'SlowDown',
      message: 'No, SlowDown.',
      $fault: 'server',
      $metadata: { httpStatusCode: 503, attempts: 3 },
    });
    process.env.AWS_MAX_ATTEMPTS = '2';
    await expect(createS3Objects().write(KEY, content)).rejects.toThrow('No, SlowDown.');
    expect(aws.received).toHaveLength(3 + 2);
  });

  it('fails at once if S3 refuses it', async () => {
    callSmallAws();
    aws.respond(failure(403, 'AccessDenied'));
    await expect(createS3Objects().write(KEY, content)).rejects.toMatchObject({
      name: 'AccessDenied',
      $fault: 'client',
    });
    expect(aws.received).toHaveLength(1);
  });

  it('fails with a TimeoutError if no response begins within 30 s', async () => {
    callSmallAws({ AWS_MAX_ATTEMPTS: '1' });
    aws.respond(responseOf(200));
    await createS3Objects().write(KEY, content);
    aws.respond(noResponse);
    holdTime();
    const ended = createS3Objects()
      .write(KEY, content)
      .catch((error: Error) => error.name);
    await eventually('the request has arrived', () => aws.received.length === 2);
    await passTime(29_900);
    expect(await Promise.race([ended, 'under way'])).toBe('under way');
    await passTime(100);
    expect(await ended).toBe('TimeoutError');
  });
});

describe('a read of an object', () => {
  it('fails if the content does not match the checksum that S3 stores', async () => {
    callSmallAws();
    aws.respond(responseOf(200, content, { 'x-amz-checksum-crc32': checksumOf(Buffer.from('other')) }));
    await expect(createS3Objects().read(KEY)).rejects.toThrow(/^Checksum mismatch: /);
    expect(aws.received[0]?.headers['x-amz-checksum-mode']).toBe('ENABLED');
  });

  it.each([
    ['its checksum', { 'x-amz-checksum-crc32': checksumOf(content) }],
    ['a checksum of parts', { 'x-amz-checksum-crc32': `${checksumOf(Buffer.from('parts'))}-2` }],
    ['no checksum', {}],
  ])('returns the content of an object with %s', async (_, headers) => {
    callSmallAws();
    aws.respond(responseOf(200, content, headers as Record<string, string>));
    expect(await createS3Objects().read(KEY)).toEqual(content);
  });

  it('is repeated if the connection is dropped before the response', async () => {
    callSmallAws();
    aws.respond(dropConnection, responseOf(200, content));
    expect(await createS3Objects().read(KEY)).toEqual(content);
  });

  it('fails if the object stops in the middle, and closes the connection', async () => {
    callSmallAws();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    aws.respond(beginning(300_000, resolve));
    await expect(createS3Objects(undefined, 100).read(KEY)).rejects.toThrow('An object did not arrive within 100 ms.');
    await closed;
  });

  it('closes the connection if there is no memory for the object', async () => {
    callSmallAws();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    aws.respond(beginning(300_000, resolve));
    const lengths: number[] = [];
    const read = createS3Objects().read(KEY, (length) => {
      lengths.push(length);
      throw new Error('There is no memory.');
    });
    await expect(read).rejects.toThrow('There is no memory.');
    expect(lengths).toEqual([300_000]);
    await closed;
  });
});
