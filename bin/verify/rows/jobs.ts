import { describe, it } from 'node:test';
import { expect } from 'expect';
import type { Suite } from '../suite.ts';

const AS_IT_CAME = '{"big":12345678901234567890,"zero":-0,"text":"\\u00e9","b":1,"a":[ 2 ]}';

/** Tests jobs that complete. */
export function jobs({ ask, ended, jobIn, run }: Suite): void {
  describe('a job', () => {
    it('[route.run][transition.run][job.id] is accepted with its id and IN_QUEUE, and can be read immediately', async () => {
      const { status, json } = await ask('POST', 'run', { body: '{"input":{}}' });
      expect([status, json]).toEqual([200, { id: expect.any(String), status: 'IN_QUEUE' }]);
      expect(json.id).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(await ask('GET', `status/${json.id}`)).toMatchObject({ status: 200, json: { id: json.id } });
    });

    it('[route.run.header] has its id in a header too', async () => {
      for (const operation of ['run', 'runsync']) {
        const { headers, json } = await ask('POST', operation, { body: '{"input":{}}' });
        expect([operation, headers.get('x-job-id')]).toEqual([operation, json.id]);
      }
    });

    it('[state.IN_PROGRESS][job.workerId][job.attempts] shows how long it waited and has run, and has no result, while it runs', async () => {
      const id = await run({ op: 'sleep', ms: 60_000 });
      const { json } = await jobIn(id, 'IN_PROGRESS');
      const times = { delayTime: expect.any(Number), executionTime: expect.any(Number) };
      expect(json).toMatchObject({ id, ...times, workerId: expect.any(String), attempts: 1 });
      for (const absent of ['output', 'error']) expect(json).not.toHaveProperty(absent);
      await ask('POST', `cancel/${id}`);
    });

    it('[route.status][state.COMPLETED][job.status][job.delayTime][job.executionTime] shows how long it waited and ran after it has ended', async () => {
      const id = await run({ op: 'sleep', ms: 300 });
      const { text, json } = await ended(id);
      const times = { delayTime: expect.any(Number), executionTime: expect.any(Number) };
      expect(json).toMatchObject({ id, status: 'COMPLETED', ...times, output: { slept: 300 } });
      expect(json.executionTime).toBeGreaterThanOrEqual(300);
      expect(json.executionTime).toBeLessThan(60_000);
      expect((await ask('POST', `status/${id}`)).text).toBe(text);
    });

    it('[route.status.stages][errors.400] has the stages of its wait with ?timeline=true, which add up to its delayTime', async () => {
      const id = await run({ op: 'sleep', ms: 300 });
      const { text } = await ended(id);
      const { json } = await ask('GET', `status/${id}?timeline=true`);
      const timeline = json.timeline as readonly { stage: string; startedAt: string; duration: number }[];
      expect(timeline.reduce((sum, { duration }) => sum + duration, 0)).toBe(json.delayTime);
      expect(timeline.at(-1)).toMatchObject({ stage: 'TAKE', startedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
      expect((await ask('POST', `status/${id}?timeline=false`)).text).toBe(text);
      const refused = await ask('GET', `status/${id}?timeline=yes`);
      expect(refused).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
      expect(refused.json.error).toBe('`timeline` must be true or false, got "yes".');
    });

    it('[job.output.null] has null as its output if its handler returned nothing', async () => {
      expect((await ended(await run({ op: 'print' }))).json).toMatchObject({ status: 'COMPLETED', output: null });
    });

    it('[job.delayTime][job.executionTime] shows how long it has waited, and no execution time, while it waits', async () => {
      const id = await run({}, { lowPriority: true });
      const { json } = await ask('GET', `status/${id}`);
      expect(json).toMatchObject({ delayTime: expect.any(Number), executionTime: expect.any(Number) });
    });

    it('[body.input][job.output] passes its input to the worker unchanged, and returns its output unchanged', async () => {
      const { json } = await ask('POST', 'run', { body: `{"input":${AS_IT_CAME}}` });
      expect((await ended(String(json.id))).text).toContain(`"output":${AS_IT_CAME}`);
    });

    it('[retention.run] can be read again after its end', async () => {
      const id = await run({ kept: 1 });
      const { text } = await ended(id);
      expect(await ask('GET', `status/${id}`)).toMatchObject({ status: 200, text });
    });
  });

  describe('a client that waits for a job', () => {
    it('[route.runsync][retention.runsync][limits.retention] gets its record when it ends, and can read it again', async () => {
      const { status, json, text } = await ask('POST', 'runsync', { body: '{"input":{"op":"sleep","ms":300}}' });
      const times = { delayTime: expect.any(Number), executionTime: expect.any(Number) };
      expect([status, json]).toMatchObject([200, { ...times, status: 'COMPLETED', output: { slept: 300 } }]);
      expect(await ask('GET', `status/${json.id}`)).toMatchObject({ status: 200, text });
    });

    it('[route.runsync][route.runsync.wait] gets the current job after ?wait=, and the job continues', async () => {
      const { json } = await ask('POST', 'runsync?wait=1000', { body: '{"input":{"op":"sleep","ms":2500}}' });
      expect(['IN_QUEUE', 'IN_PROGRESS']).toContain(json.status);
      expect((await ended(String(json.id))).json).toMatchObject({ status: 'COMPLETED' });
    });

    it('[limits.waits] can wait while 39 other clients wait', async () => {
      const id = await run({ op: 'sleep', ms: 1_500 });
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask('GET', `status-sync/${id}`)));
      expect(answers.map(({ status, json }) => [status, json.status])).toEqual(Array(40).fill([200, 'COMPLETED']));
    });

    it('[route.status-sync] gets its record with GET and with POST', async () => {
      const id = await run({ op: 'sleep', ms: 300 });
      const [got, posted] = await Promise.all(['GET', 'POST'].map((method) => ask(method, `status-sync/${id}`)));
      expect(got).toMatchObject({ status: 200, json: { id, status: 'COMPLETED', output: { slept: 300 } } });
      expect(posted?.text).toBe(got?.text);
    });

    it('[route.runsync.wait][route.status-sync] can wait for one second to five minutes', async () => {
      const id = await run({});
      for (const [method, path, body] of [
        ['POST', 'runsync', '{"input":{}}'],
        ['GET', `status-sync/${id}`, undefined],
      ] as const)
        for (const [wait, status] of [
          [999, 400],
          [1_000, 200],
          [300_000, 200],
          [300_001, 400],
        ] as const)
          expect([path, wait, (await ask(method, `${path}?wait=${wait}`, { body })).status]).toEqual([
            path,
            wait,
            status,
          ]);
    });
  });
}
