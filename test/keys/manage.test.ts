/** Tests managing keys over HTTP. Calls the functions of the routes as API Gateway does. */
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { authorize } from '../../core/authorizer/authorize.ts';
import { hashOf } from '../../core/keys/client-keys.ts';
import { KEY_CACHE } from '../../core/limits.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;
type Operation = 'list-keys' | 'create-key' | 'revoke-key';

const emulated = useEmulatedDeployment();
let handlers: Readonly<Record<Operation, Handler>>;

beforeAll(async () => {
  await emulated.deploy('echo');
  // The modules read the environment of the deployment.
  const [list, create, revoke] = await Promise.all([
    import('../../lambda/management/list-keys.ts'),
    import('../../lambda/management/create-key.ts'),
    import('../../lambda/management/revoke-key.ts'),
  ]);
  const those = { 'list-keys': list.handler, 'create-key': create.handler, 'revoke-key': revoke.handler };
  handlers = those as unknown as Record<Operation, Handler>;
});

/** The context that the authorizer returns for a user. */
const user = { owner: 'platform', endpoints: '*', scopes: '' };

async function call(operation: Operation, { body, key }: { body?: string; key?: string } = {}) {
  const event = {
    httpMethod: 'POST',
    pathParameters: { key },
    body,
    isBase64Encoded: false,
    requestContext: { requestId: 'r-1', authorizer: user },
  };
  const { statusCode: status, body: text } = await handlers[operation](event, { functionName: operation } as Context);
  return { status, text, json: JSON.parse(text) as Record<string, unknown> };
}

const make = (grant: object) => call('create-key', { body: JSON.stringify(grant) });
const listed = async () => (await call('list-keys')).json.keys as readonly { readonly id: string }[];
const opens = (secret: unknown, endpoint = 'echo') =>
  authorize(emulated.ports, { authorization: `Bearer ${String(secret)}`, operation: 'run', endpoint });

describe('a key over HTTP', () => {
  it('is created with a secret that permits the requested operations and endpoints', async () => {
    const grant = {
      name: 'batch',
      owner: 'ada',
      endpoints: ['echo'],
      operations: ['run', 'status'],
      scopes: ['templates:read'],
      expiresAt: '2999-01-31T12:00Z',
    };
    const { status, json } = await make(grant);
    const { secret } = json;
    expect([status, json]).toEqual([
      200,
      {
        ...grant,
        id: hashOf(String(secret)).slice(0, 12),
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        expiresAt: '2999-01-31T12:00:00.000Z',
        secret: expect.stringMatching(/^gpue_/),
      },
    ]);
    const { caller } = await opens(secret);
    const { name, owner, endpoints, scopes } = grant;
    expect(caller).toMatchObject({ name, owner, endpoints, scopes });
    expect(caller.operations()).toEqual(expect.arrayContaining([...grant.operations]));
    await expect(opens(secret, 'other')).rejects.toThrow('does not permit calls to the endpoint other');
  });

  it('by default permits all operations and endpoints, has no scopes, never expires, and has its name as owner', async () => {
    const { json } = await make({ name: 'plain' });
    expect(json).toMatchObject({ owner: 'plain', endpoints: ['*'], operations: ['*'], scopes: [] });
    expect((await make({ name: 'Größe', owner: 'Team A' })).json).toMatchObject({ name: 'Größe', owner: 'Team A' });
    expect(json).not.toHaveProperty('expiresAt');
  });

  it.each<[string, string]>([
    ['', 'The body is empty'],
    ['[]', 'must be a JSON object, got an array'],
    ['{}', '`name` must be a string of 1 to 128 characters without control characters, got nothing'],
    ['{"name":""}', '`name` must be a string of 1 to 128'],
    [`{"name":"${'x'.repeat(129)}"}`, '`name` must be a string of 1 to 128'],
    [
      '{"name":"x","owner":"a\\r\\nb"}',
      '`owner` must be printable ASCII characters without a space at the beginning or',
    ],
    ['{"name":"x","owner":7}', 'such as team-a, of 1 to 128 characters, got 7'],
    ['{"name":"x","owner":""}', 'such as team-a, of 1 to 128 characters, got ""'],
    [`{"name":"x","owner":"${'x'.repeat(129)}"}`, 'such as team-a, of 1 to 128 characters, got "x'],
    ['{"name":"x","owner":"team Ω"}', 'such as team-a, of 1 to 128 characters, got "team Ω"'],
    ['{"name":"x","owner":"\u2028"}', '`owner` must be printable ASCII'],
    ['{"name":"x","owner":" lead"}', '`owner` must be printable ASCII'],
    ['{"name":"x","owner":"lead "}', '`owner` must be printable ASCII'],
    ['{"name":"Große"}', 'of 1 to 128 characters, got "Große", the name: send an `owner`.'],
    ['{"name":" x"}', 'of 1 to 128 characters, got " x", the name: send an `owner`.'],
    ['{"name":"x","endpoints":["echo","Not_One"]}', '`endpoints.1` must be endpoint ids or *, got "Not_One"'],
    ['{"name":"x","endpoints":[]}', '`endpoints` must be a list of 1 to 100, got []'],
    ['{"name":"x","endpoints":"echo"}', '`endpoints` must be a list of 1 to 100, got "echo"'],
    ['{"name":"x","operations":["fly"]}', 'or *, got "fly"'],
    ['{"name":"x","operations":["create-key"]}', 'or *, got "create-key"'],
    ['{"name":"x","operations":["create-template"]}', 'or *, got "create-template"'],
    ['{"name":"x","scopes":["all"]}', '`scopes.0` must be templates:read, templates:write or templates:secrets'],
    ['{"name":"x","expiresAt":"30d"}', '`expiresAt` must be a date such as 2030-01-31, or a time such as'],
    ['{"name":"x","expiresAt":"2030-13-01"}', '`expiresAt` must be a date'],
    ['{"name":"x","expiresAt":"2030-02-31"}', '`expiresAt` must be a date'],
    ['{"name":"x","expiresAt":"2020-01-31"}', '`expiresAt` must be in the future, got "2020-01-31"'],
    ['{"name":"x","expires":"2030-01-31"}', 'A key has no field `expires`: use name, owner, endpoints'],
    ['{"name":"x","__proto__":{"owner":"a"}}', 'A key has no field `__proto__`'],
    ['{"name":"x","hash":"0"}', 'A key has no field `hash`'],
  ])('is refused with an error message if the body is %s', async (body, sentence) => {
    const before = await listed();
    const { status, json } = await call('create-key', { body });
    expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error).toContain(sentence);
    expect(await listed()).toEqual(before);
  });

  it('is refused with 413 if its body is larger than the largest key', async () => {
    const { status, json } = await make({ name: 'x'.repeat(70_000) });
    expect([status, json.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('is listed with its permissions, and without secret and hash', async () => {
    const { json } = await make({ name: 'listed', operations: ['health'] });
    const { secret, ...shown } = json;
    const { text } = await call('list-keys');
    expect(await listed()).toContainEqual(shown);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hashOf(String(secret)).slice(0, 13));
  });

  it('is revoked by its id, without revoking another key', async () => {
    const [gone, kept] = [(await make({ name: 'gone' })).json, (await make({ name: 'kept' })).json];
    await opens(gone.secret);
    expect(await call('revoke-key', { key: String(gone.id) })).toMatchObject({ status: 200, json: { id: gone.id } });
    emulated.clock.advance(KEY_CACHE);
    await expect(opens(gone.secret)).rejects.toThrow('does not exist in this deployment');
    await expect(opens(kept.secret)).resolves.toBeDefined();
    const ids = (await listed()).map(({ id }) => id);
    expect([ids.includes(String(gone.id)), ids.includes(String(kept.id))]).toEqual([false, true]);
  });

  it.each(['000000000000', 'abc', '', '*', 'gpue_x', 'x'.repeat(5_000)])(
    'is not found by the id %j, and no key is revoked',
    async (key) => {
      const before = await listed();
      const { status, json } = await call('revoke-key', { key });
      expect([status, json.code]).toEqual([404, 'KEY_NOT_FOUND']);
      expect(String(json.error).length).toBeLessThan(300);
      expect(await listed()).toEqual(before);
    },
  );

  it('does not log the secret', async () => {
    const streams = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockReturnValue(true));
    const methods = (['debug', 'info', 'log', 'warn', 'error'] as const).map((name) =>
      jest.spyOn(console, name).mockReturnValue(),
    );
    const { json } = await make({ name: 'unlogged' });
    await call('list-keys');
    const written = JSON.stringify([...streams, ...methods].map(({ mock }) => mock.calls));
    jest.restoreAllMocks();
    expect(json.secret).toMatch(/^gpue_/);
    expect(written).not.toContain('gpue_');
    expect(written).not.toContain(hashOf(String(json.secret)));
  });
});
