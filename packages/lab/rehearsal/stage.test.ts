/** Tests parts of the rehearsal: the copy of the repository, the emulator, and the runtime of functions. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { copyRepository, declare, declaredEndpoints, removeDeclaration } from '../../../test/support/repository.ts';
import { withoutAws } from '../../../test/support/without-aws.ts';
import { installEmulator } from './emulator.ts';
import { hiddenKeys } from './service.ts';
import './lambda-streaming.ts';

const temporary = () => mkdtempSync(join(tmpdir(), 'rehearsal-'));

describe('the copy of the repository', () => {
  const original = temporary();
  for (const folder of ['endpoints', 'node_modules', '.git', 'cdk.out', 'lib', 'test/declared/endpoints'])
    mkdirSync(join(original, folder), { recursive: true });
  for (const file of ['.npmrc', 'lib/a.ts', 'cdk.out/manifest.json', 'node_modules/a.js'])
    writeFileSync(join(original, file), '');
  writeFileSync(join(original, 'endpoints/of-the-team.yaml'), 'image: b\n');
  for (const endpoint of ['echo', 'other'])
    writeFileSync(
      join(original, 'test/declared/endpoints', `${endpoint}.yaml`),
      'image: a # its image\nmaxWorkers: 1\n',
    );
  const copy = join(temporary(), 'copy');
  copyRepository(original, copy);

  it('has the sources and the installed packages, and no build output', () => {
    for (const file of ['lib/a.ts', 'node_modules/a.js', '.npmrc']) expect(existsSync(join(copy, file))).toBe(true);
    for (const file of ['cdk.out', '.git']) expect(existsSync(join(copy, file))).toBe(false);
  });

  it('can be changed without changing the repository', () => {
    declare(copy, 'echo', 'executionTimeout', 300_000);
    removeDeclaration(copy, 'other');
    expect(readFileSync(join(copy, 'endpoints/echo.yaml'), 'utf8')).toBe(
      'image: a\nmaxWorkers: 1\nexecutionTimeout: 300000\n',
    );
    expect(declaredEndpoints(copy)).toEqual(['echo']);
    expect(declaredEndpoints(original)).toEqual(['of-the-team']);
    expect(readFileSync(join(original, 'test/declared/endpoints/echo.yaml'), 'utf8')).not.toContain('executionTimeout');
  });
});

describe('the emulator', () => {
  it('is not installed on a machine without Python, and the error states the reason', async () => {
    process.env.PATH = temporary();
    await expect(installEmulator(temporary(), process.cwd())).rejects.toThrow('Python 3 with venv is missing');
  });

  it("never receives the AWS settings in the user's environment", () => {
    const env = { AWS_PROFILE: 'production', AWS_ENDPOINT_URL_S3: 'https://a.example', HOME: '/home/a' };
    expect(withoutAws(env)).toEqual({ HOME: '/home/a' });
  });
});

describe('the hidden keys', () => {
  it('are read from the templates, each with the name of its limit', () => {
    const Properties = { Description: 'Rate limits of *unknown; not a credential.', Value: 'abc' };
    const Other = { Type: 'AWS::SQS::Queue', Properties: { ...Properties, Value: 'other' } };
    const Resources = { Key: { Type: 'AWS::ApiGateway::ApiKey', Properties }, Other };
    expect([...hiddenKeys([{ template: { Resources } }])]).toEqual([['*unknown', 'abc']]);
  });
});

describe('a streaming function', () => {
  type Collecting = NodeJS.WritableStream;
  type Handler = (event: unknown, stream: Collecting) => Promise<void>;
  const { awslambda } = globalThis as unknown as {
    awslambda: {
      streamifyResponse(handler: Handler): (event: unknown) => Promise<unknown>;
      HttpResponseStream: { from(stream: Collecting, metadata: object): Collecting };
    };
  };

  it('returns its response as a whole, with status and headers', async () => {
    const handler = awslambda.streamifyResponse(async (_event, stream) => {
      const response = awslambda.HttpResponseStream.from(stream, { statusCode: 202, headers: { allow: 'GET' } });
      response.write('{"a":');
      response.end('"ü"}');
      await finished(response);
    });
    expect(await handler({})).toEqual({ statusCode: 202, headers: { allow: 'GET' }, body: '{"a":"ü"}' });
  });

  it('fails with the error of its handler', async () => {
    const handler = awslambda.streamifyResponse(() => Promise.reject(new Error('no table')));
    await expect(handler({})).rejects.toThrow('no table');
  });
});
