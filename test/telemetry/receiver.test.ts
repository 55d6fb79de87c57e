/** Tests requests of telemetry over HTTP: headers from a secret, signatures, and receivers that fail. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTelemetryEncoder } from '../../aws/telemetry/encode.ts';
import { createHeaders } from '../../aws/telemetry/headers.ts';
import { createTelemetryReceiver } from '../../aws/telemetry/receiver.ts';
import { MINUTE } from '../../core/limits.ts';
import { REQUEST_TIME } from '../../core/telemetry/limits.ts';
import type { Span } from '../../core/telemetry/span.ts';
import { createAccessKeys } from '../../packages/emulator/aws-proxy/access-keys.ts';
import { readCaller } from '../../packages/emulator/aws-proxy/caller.ts';
import { createVerifier } from '../../packages/emulator/aws-proxy/signature.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { accept, type OtlpReceiver, refuse, spansIn, startOtlpReceiver, withPython } from './otlp-receiver.ts';

const encoder = createTelemetryEncoder({ deployment: 'gpu-endpoints', region: 'eu-west-1' });

const span: Span = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: 'c7ad6b7169203331',
  name: 'run',
  kind: 'INTERNAL',
  from: 1_900_000_000_123,
  to: 1_900_000_004_999,
  attributes: { endpoint: 'chat', release: 3, 'error.type': undefined },
  error: 'no memory',
};
const body = encoder.spans([span]);

let receiver: OtlpReceiver;
const urlsOf = (url: string) => ({ traces: `${url}/v1/traces`, metrics: `${url}/v1/metrics` });
const unsigned = () => createTelemetryReceiver({ urls: urlsOf(receiver.url), isSigned: false });

beforeEach(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(() => receiver.stop());

describe('a request of telemetry', () => {
  (withPython ? it : it.skip)('is read by the parser of OpenTelemetry', async () => {
    expect(await unsigned().send('traces', body)).toEqual({ isAccepted: true, rejected: 0 });
    expect(receiver.requests[0]?.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    });
    const { attributes, ...rest } = span;
    expect(await spansIn(receiver.requests)).toEqual([
      { ...rest, kind: 'SPAN_KIND_INTERNAL', attributes: { endpoint: 'chat', release: 3 } },
    ]);
  });

  it.each([
    [400, false],
    [401, false],
    [302, false],
    [429, true],
    [503, true],
  ])('that the receiver answers with %i may be repeated: %s', async (code, mayRepeat) => {
    receiver.answer = refuse(code);
    expect(await unsigned().send('traces', body)).toEqual({ isAccepted: false, mayRepeat, reason: `HTTP ${code}` });
    expect(receiver.requests).toHaveLength(1);
  });

  it('counts what the receiver rejects, in its own words', async () => {
    // ExportTraceServiceResponse { partial_success { rejected_spans: 1, error_message: "old" } }
    const partial = Buffer.from([0x0a, 0x07, 0x08, 0x01, 0x12, 0x03, ...Buffer.from('old')]);
    receiver.answer = (response) => response.writeHead(200).end(partial);
    expect(await unsigned().send('traces', body)).toEqual({ isAccepted: true, rejected: 1, reason: 'old' });
  });

  it('is accepted if the response is not one of OTLP, or is endless', async () => {
    receiver.answer = (response) => response.writeHead(200).end('<html>ok</html>');
    expect(await unsigned().send('traces', body)).toEqual({ isAccepted: true, rejected: 0 });
    receiver.answer = (response) => {
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(16_384), more);
      };
      more();
    };
    expect(await unsigned().send('traces', body)).toEqual({ isAccepted: true, rejected: 0 });
  });

  it('fails with a code and without an address if no receiver listens', async () => {
    const { url } = receiver;
    await receiver.stop();
    const sent = await createTelemetryReceiver({ urls: urlsOf(url), isSigned: false }).send('traces', body);
    expect(sent).toEqual({ isAccepted: false, mayRepeat: true, reason: 'ECONNREFUSED' });
    receiver = await startOtlpReceiver();
  });

  it(
    'takes at most its time, whether the receiver never answers or never ends its response',
    async () => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      receiver.answer = (response) => response.writeHead(200).write('a');
      const begin = Date.now();
      const late = { isAccepted: false, mayRepeat: true, reason: 'TIMEOUT' };
      const both = await Promise.all([
        createTelemetryReceiver({ urls: urlsOf(url), isSigned: false }).send('traces', body),
        unsigned().send('traces', body),
      ]);
      expect(both).toEqual([late, late]);
      expect(Date.now() - begin).toBeLessThan(2 * REQUEST_TIME);
      silent.close();
    },
    4 * REQUEST_TIME,
  );

  it('is signed for the service of its signal with the key of the function', async () => {
    const keys = createAccessKeys();
    const role = 'AKIATELEMETRY0000000';
    Object.assign(process.env, {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: role,
      AWS_SECRET_ACCESS_KEY: keys.secretOf(role, 'session-1'),
      AWS_SESSION_TOKEN: 'session-1',
    });
    const signed = createTelemetryReceiver({ urls: urlsOf(receiver.url), isSigned: true });
    await signed.send('traces', body);
    await signed.send('metrics', body);
    const verify = createVerifier(keys);
    for (const [n, service] of ['xray', 'monitoring'].entries()) {
      const { incoming, raw, headers } = receiver.requests[n] ?? (undefined as never);
      expect(headers.authorization).toContain(`/eu-west-1/${service}/aws4_request`);
      const caller = readCaller(headers, (name) => name);
      await verify(incoming, caller, raw);
      await expect(verify(incoming, { ...caller, service: 'sqs' }, raw)).rejects.toThrow();
    }
  });
});

describe('the headers of telemetry', () => {
  let secrets: SecretService;
  const clock = new MovedClock(0);
  const NAME = 'telemetry/otlp';

  beforeAll(async () => {
    secrets = await startSecretService();
    Object.assign(process.env, secrets.environment);
  });
  afterAll(() => secrets.stop());

  async function store(SecretString: string): Promise<void> {
    const client = new SecretsManagerClient({});
    await client
      .send(new PutSecretValueCommand({ SecretId: NAME, SecretString }))
      .catch(() => client.send(new CreateSecretCommand({ Name: NAME, SecretString })));
  }

  it('are those of the secret, and a changed secret is used after minutes', async () => {
    await store('{"authorization":"Bearer one","x-scope-orgid":"team"}');
    const sending = createTelemetryReceiver({
      urls: urlsOf(receiver.url),
      isSigned: false,
      readHeaders: createHeaders(NAME, clock),
    });
    await sending.send('traces', body);
    await store('{"authorization":"Bearer two"}');
    await sending.send('traces', body);
    clock.advance(10 * MINUTE);
    await sending.send('traces', body);
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer one',
      'Bearer one',
      'Bearer two',
    ]);
    expect(receiver.requests[0]?.headers).toMatchObject({ 'x-scope-orgid': 'team', 'content-encoding': 'gzip' });
  });

  it.each(['topsecret', '"topsecret"', '{"authorization":7}', '{"a b":"topsecret"}', '{"a":"top\\nsecret"}'])(
    'are an error that does not contain the secret, if it is %s',
    async (text) => {
      await store(text);
      receiver.answer = accept;
      const sending = createTelemetryReceiver({
        urls: urlsOf(receiver.url),
        isSigned: false,
        readHeaders: createHeaders(NAME, clock),
      });
      expect(await sending.send('traces', body)).toEqual({
        isAccepted: false,
        mayRepeat: true,
        reason: 'INVALID_HEADERS_SECRET',
      });
      expect(receiver.requests).toEqual([]);
    },
  );
});
