import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { type Ports, portsWith } from '../../aws/ports.ts';
import { partitionsOf, volumePartitionOf } from '../../core/jobs/id.ts';
import { DAY } from '../../core/limits.ts';
import { IdempotencyConflict, InvalidRequest, JobExpired } from '../../core/requests/errors.ts';
import { runSync } from '../../core/status/runsync.ts';
import { status } from '../../core/status/status.ts';
import type { SubmitRequest } from '../../core/submission/request.ts';
import { run } from '../../core/submission/submit.ts';
import { finish } from '../../core/workers/report.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
const { ports } = emulated;

/** An input that is stored in the payloads table. */
const body = JSON.stringify({ input: { a: 'x'.repeat(500) } });
const request = (endpoint: string, changed: Partial<SubmitRequest> = {}): SubmitRequest => ({
  endpoint,
  owner: 'ada',
  body: Buffer.from(body),
  idempotencyKey: 'order-1',
  ...changed,
});
const idsIn = async (endpoint: string) => (await Array.fromAsync(ports.jobs.list(endpoint))).map(({ id }) => id);

async function allMessages(queueUrl: string) {
  const jobs: string[] = [];
  for (let message = await emulated.nextMessage(queueUrl); message; message = await emulated.nextMessage(queueUrl))
    jobs.push(message.job);
  return jobs;
}

describe('an idempotency key', () => {
  it('returns the same response for its job, whatever the current status of the job is', async () => {
    await emulated.deploy('claim-a');
    const first = await run(ports, request('claim-a'));
    expect(await run(ports, request('claim-a'))).toEqual(first);
    await finish(ports, await takeJob(ports, 'claim-a', first.id), { output: '1' });
    expect(await run(ports, request('claim-a'))).toEqual(first);
    expect(await idsIn('claim-a')).toEqual([first.id]);
    expect(JSON.parse(String(await status(ports, { endpoint: 'claim-a', id: first.id }))).status).toBe('COMPLETED');
  });

  it('is refused if the body differs from the first request, and nothing is stored', async () => {
    const [normalQueueUrl] = (await emulated.deploy('claim-b')).normalQueueUrls;
    const { id } = await run(ports, request('claim-b'));
    for (const other of ['{"input":{}}', `${body} `])
      await expect(run(ports, request('claim-b', { body: Buffer.from(other) }))).rejects.toThrow(IdempotencyConflict);
    expect(await idsIn('claim-b')).toEqual([id]);
    expect(await allMessages(normalQueueUrl)).toEqual([id]);
  });

  it('is separate for each owner, endpoint and operation, and a request without a key creates a new job', async () => {
    await emulated.deploy('claim-c');
    await emulated.deploy('claim-d');
    const others = [{}, { owner: 'bob' }, { endpoint: 'claim-d' }, { idempotencyKey: 'order-2' }];
    const without = { idempotencyKey: undefined };
    const ids: string[] = [];
    for (const changed of [...others, without, without]) ids.push((await run(ports, request('claim-c', changed))).id);
    ids.push((JSON.parse(String(await runSync(ports, { ...request('claim-c'), wait: '1000' }))) as { id: string }).id);
    expect(new Set(ids).size).toBe(7);
  });

  it('can be used for another job after exactly 24 hours', async () => {
    await emulated.deploy('claim-e');
    const first = await run(ports, request('claim-e'));
    emulated.clock.advance(DAY - 1);
    expect(await run(ports, request('claim-e'))).toEqual(first);
    emulated.clock.advance(1);
    const second = await run(ports, request('claim-e', { body: Buffer.from('{"input":{}}') }));
    expect(second.id).not.toBe(first.id);
    expect(await run(ports, request('claim-e', { body: Buffer.from('{"input":{}}') }))).toEqual(second);
  });

  it.each(['', 'a b', 'a\t', 'é', 'x'.repeat(256), '\u007f'])(
    'is refused if it is invalid, and nothing is stored: %j',
    async (key) => {
      await emulated.deploy('claim-f');
      const wrong = request('claim-f', { idempotencyKey: key });
      await expect(run(ports, wrong)).rejects.toThrow(InvalidRequest);
      await expect(runSync(ports, wrong)).rejects.toThrow(
        '`Idempotency-Key` must be 1 to 255 visible ASCII characters',
      );
      expect(await idsIn('claim-f')).toEqual([]);
    },
  );

  it.each(['!', '~', 'x'.repeat(255)])('is accepted: %j', async (key) => {
    await emulated.deploy('claim-g');
    expect(await run(ports, request('claim-g', { idempotencyKey: key }))).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('is optional: a request without a key only creates the job and sends its message', async () => {
    await emulated.deploy('claim-h');
    const calls: string[] = [];
    const counted = <Part extends object>(part: Part, name: string): Part =>
      new Proxy(part, {
        get(target, method) {
          calls.push(`${name}.${String(method)}`);
          return Reflect.get(target, method);
        },
      });
    const { idempotencyKeys, jobs, jobQueues } = ports;
    const watched = {
      idempotencyKeys: counted(idempotencyKeys, 'idempotencyKeys'),
      jobs: counted(jobs, 'jobs'),
      jobQueues: counted(jobQueues, 'jobQueues'),
    };
    await run(portsWith(ports, watched), request('claim-h', { idempotencyKey: undefined }));
    expect(calls).toEqual(['jobs.create', 'jobQueues.send']);
  });

  it('is stored where workers cannot read it, until it expires', async () => {
    await emulated.deploy('claim-i');
    const now = emulated.clock.now();
    const { id } = await run(ports, request('claim-i'));
    const { Items = [] } = await new DynamoDBClient({}).send(new ScanCommand({ TableName: 'PAYLOADS_TABLE' }));
    const claim = Items.map((item) => unmarshall(item)).find(({ job }) => job === id);
    expect(claim).toMatchObject({ expiresAt: now + DAY, removeAfter: Math.ceil((now + DAY) / 1_000) });
    expect([...partitionsOf('claim-i'), volumePartitionOf('claim-i')]).not.toContain(claim?.partition);
    expect(JSON.stringify(claim)).not.toContain('order-1');
  });
});

describe('simultaneous requests with one idempotency key', () => {
  it('create one job, which all of them return', async () => {
    const [normalQueueUrl] = (await emulated.deploy('claim-j')).normalQueueUrls;
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(ports, request('claim-j'))));
    const [id = ''] = await idsIn('claim-j');
    expect(answers).toEqual(answers.map(() => ({ id, status: 'IN_QUEUE' })));
    expect(await idsIn('claim-j')).toHaveLength(1);
    expect(new Set(await allMessages(normalQueueUrl))).toEqual(new Set([id]));
  });

  it('create one job if their bodies differ, and all requests except one are refused', async () => {
    await emulated.deploy('claim-k');
    const bodies = Array.from({ length: 10 }, (_, n) => `{"input":{"n":${n}}}`);
    const answers = await Promise.allSettled(
      bodies.map((text) => run(ports, request('claim-k', { body: Buffer.from(text) }))),
    );
    expect(answers.filter(({ status: is }) => is === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(IdempotencyConflict);
    expect(await idsIn('claim-k')).toHaveLength(1);
  });
});

class Crash extends Error {
  override readonly name = 'Crash';
}

/** The ports to which a submission writes, in order. */
const writes = [
  ['idempotencyKeys', 'hold'],
  ['payloads', 'write'],
  ['jobs', 'create'],
  ['jobQueues', 'send'],
] as const;
const crashes = writes.flatMap(([part, method]) =>
  (['before', 'after'] as const).map((when) => [`${when} ${part}.${method}`, { part, method, when }] as const),
);

/** Returns the ports of a process that dies before or after it writes to a port. */
function dying({ part, method, when }: (typeof crashes)[number][1]): Ports {
  const dies = new Proxy(ports[part], {
    get(target, name) {
      const does = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      if (name !== method) return does;
      return async (...args: unknown[]) => {
        if (when === 'after') await does.apply(target, args);
        throw new Crash(`${when} ${part}.${method}`);
      };
    },
  });
  return portsWith(ports, { [part]: dies }) as Ports;
}

describe('a process that dies', () => {
  it.each(crashes)(
    '%s leaves a state in which repeated requests return one job, which has a message',
    async (_, crash) => {
      const endpoint = `claim-${crash.part.toLowerCase()}-${crash.when}`;
      const [normalQueueUrl] = (await emulated.deploy(endpoint)).normalQueueUrls;
      await expect(run(dying(crash), request(endpoint))).rejects.toThrow(Crash);
      const claimed = crash.part !== 'idempotencyKeys' || crash.when === 'after';
      if (claimed)
        await expect(run(ports, request(endpoint, { body: Buffer.from('{"input":{}}') }))).rejects.toThrow(
          IdempotencyConflict,
        );
      const before = await idsIn(endpoint);
      await allMessages(normalQueueUrl);

      const { id } = await run(ports, request(endpoint));
      expect(await run(ports, request(endpoint))).toEqual({ id, status: 'IN_QUEUE' });
      expect(await idsIn(endpoint)).toEqual([id]);
      if (before.length > 0) expect(before).toEqual([id]);
      expect(await allMessages(normalQueueUrl)).toContain(id);
      const job = await takeJob(ports, endpoint, id);
      expect(await ports.payloads.read(job, 'input')).toBe(JSON.stringify({ a: 'x'.repeat(500) }));
    },
  );

  it('changes nothing if it continues after another process created its job and a worker ended the job', async () => {
    await emulated.deploy('claim-l');
    const { hold } = ports.idempotencyKeys;
    const slow = portsWith(ports, {
      idempotencyKeys: {
        hold: async (...args: Parameters<typeof hold>) => {
          const claim = await hold(...args);
          const { id } = await run(ports, request('claim-l'));
          await finish(ports, await takeJob(ports, 'claim-l', id), { output: '"done"' });
          return claim;
        },
      },
    });
    const { id } = await run(slow, request('claim-l'));
    expect(await idsIn('claim-l')).toEqual([id]);
    expect(JSON.parse(String(await status(ports, { endpoint: 'claim-l', id })))).toMatchObject({
      output: 'done',
      attempts: 1,
    });
  });
});

describe('runsync with an idempotency key', () => {
  it('waits for the job of the first request, and returns the job record', async () => {
    await emulated.deploy('claim-m');
    const first = JSON.parse(String(await runSync(ports, { ...request('claim-m'), wait: '1000' }))) as { id: string };
    expect(first).toMatchObject({ status: 'IN_QUEUE' });
    const job = await takeJob(ports, 'claim-m', first.id);
    const clock = {
      now: () => emulated.clock.now(),
      async pause(milliseconds: number) {
        emulated.clock.advance(milliseconds);
        await finish(ports, job, { output: '"done"' });
      },
    };
    const again = JSON.parse(String(await runSync(portsWith(ports, { clock }), request('claim-m'))));
    expect(again).toMatchObject({ id: first.id, status: 'COMPLETED', output: 'done', attempts: 1 });
    expect(await idsIn('claim-m')).toEqual([first.id]);
  });

  it('fails with an error message if the result of the first request has expired', async () => {
    await emulated.deploy('claim-n');
    const { id } = JSON.parse(String(await runSync(ports, { ...request('claim-n'), wait: '1000' }))) as { id: string };
    await finish(ports, await takeJob(ports, 'claim-n', id), { output: '1' });
    emulated.clock.advance(60_000);
    await expect(runSync(ports, request('claim-n'))).rejects.toThrow(JobExpired);
  });
});
