/** Routes of the management interface, except those of templates. */
import { describe, it } from 'node:test';
import { expect } from 'expect';
import { eventually } from '../eventually.ts';
import type { Suite } from '../suite.ts';

export function routesOfManagement({ ask, askAt, ended, jobIn, run, target }: Suite): void {
  it('[route.releases] lists the releases of an endpoint, the newest first', async () => {
    const { status, json } = await askAt('management', 'GET', `/endpoints/${target.endpoint}/releases`);
    const releases = json.releases as readonly { readonly createdAt: string }[];
    expect([status, releases.length > 0]).toEqual([200, true]);
    const times = releases.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('[route.rollback][errors.400][errors.404] is refused without a revision, and for an endpoint that is not deployed', async () => {
    const rollBack = (endpoint: string, body: string) =>
      askAt('management', 'POST', `/endpoints/${endpoint}/rollback`, { body });
    for (const body of ['{}', '{"revision":0}', '{"revision":"1"}']) {
      const { status, json } = await rollBack(target.endpoint, body);
      expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error).toContain('`revision` must be');
    }
    const { status, json } = await rollBack('nowhere', '{"revision":1}');
    expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
  });

  it('[route.session] returns what the key permits', async () => {
    const { status, json } = await askAt('management', 'GET', '/session');
    expect([status, json]).toEqual([200, expect.objectContaining({ groups: [], endpoints: ['*'] })]);
    expect(json.operations).toEqual(expect.arrayContaining(['run', 'find-job', 'session']));
    expect(json.operations).not.toContain('create-key');
  });

  it('[route.endpoints] lists an endpoint with the example inputs of its file', async () => {
    const { json } = await askAt('management', 'GET', '/endpoints');
    const listed = json.endpoints as readonly { readonly id: string; readonly examples?: readonly unknown[] }[];
    const examples = listed.find(({ id }) => id === target.endpoint)?.examples;
    expect(examples).toContainEqual({ name: 'Say hello', input: { text: 'hello' } });
  });

  it('[route.endpoints] lists what happened on an endpoint lately if the request asks for it', async () => {
    const { json } = await askAt('management', 'GET', '/endpoints?include=recent');
    const listed = json.endpoints as readonly { readonly id: string; readonly recent?: unknown }[];
    expect(listed.find(({ id }) => id === target.endpoint)?.recent).toMatchObject({
      lastHour: { ended: expect.any(Number), failed: expect.any(Number) },
      today: { dollars: expect.any(Number) },
    });
    const { status } = await askAt('management', 'GET', '/endpoints?include=everything');
    expect(status).toBe(400);
  });

  it('[route.read-endpoint] reads an endpoint as in the list, with its settings', async () => {
    const { status, json } = await askAt('management', 'GET', `/endpoints/${target.endpoint}`);
    const list = await askAt('management', 'GET', '/endpoints');
    const { health: _, ...listed } = (list.json.endpoints as readonly Record<string, unknown>[]).find(
      ({ id }) => id === target.endpoint,
    ) as Record<string, unknown>;
    expect([status, json]).toEqual([200, expect.objectContaining({ ...listed, idleTimeout: expect.any(Number) })]);
  });

  it('[route.read-endpoint][errors.404] finds no endpoint that is not deployed', async () => {
    const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere');
    expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
  });

  describe('the workers of an endpoint', () => {
    const listed = async () => {
      const { json } = await askAt('management', 'GET', `/endpoints/${target.endpoint}/workers`);
      return json.workers as readonly {
        readonly id: string;
        readonly jobs: readonly string[];
        readonly timeline?: readonly { readonly stage: string }[];
      }[];
    };

    it('[route.workers] are listed with their jobs and their release', async () => {
      const id = await run({ op: 'sleep', ms: 60_000 });
      const { json } = await jobIn(id, 'IN_PROGRESS');
      const worker = await eventually('a worker names its job', async () =>
        (await listed()).find(({ jobs }) => jobs.includes(id)),
      );
      await ask('POST', `cancel/${id}`);
      const releases = await askAt('management', 'GET', `/endpoints/${target.endpoint}/releases`);
      const [release] = releases.json.releases as readonly { revision: number; version: number; template: string }[];
      expect(worker).toMatchObject({
        id: json.workerId,
        state: 'RUNNING',
        retiring: false,
        revision: release?.revision,
        version: release?.version,
        template: release?.template,
      });
    });

    it('[route.workers] are listed with the stages of their start', async () => {
      const id = await run({ op: 'sleep', ms: 300 });
      const { json } = await jobIn(id, 'COMPLETED');
      const worker = (await listed()).find((each) => each.id === json.workerId);
      const stages = (worker?.timeline ?? []).map(({ stage }) => stage);
      expect(stages.at(-1)).toBe('WORKER');
    });

    it('[route.workers][errors.404] are not found if the endpoint is not deployed', async () => {
      const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere/workers');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });
  });

  describe('jobs that have ended', () => {
    const list = (query: string) => askAt('management', 'GET', `/jobs?endpoint=${target.endpoint}&${query}`);

    it('[route.list-jobs] are listed with what they did, without their output', async () => {
      const id = await run({ text: 'hello' });
      const { json: record } = await ended(id);
      const job = await eventually(`the history has ${id}`, async () => {
        const { json } = await list(`job=${id}`);
        return (json.jobs as readonly Record<string, unknown>[])[0];
      });
      expect(job).toMatchObject({ id, endpoint: target.endpoint, status: 'COMPLETED', worker: record.workerId });
      expect(job).not.toHaveProperty('output');
    });

    it('[route.list-jobs] are selected by filters, a page at a time', async () => {
      const id = await run({ op: 'fail', message: `no seed ${Date.now()}` });
      await ended(id);
      const failed = await eventually(`the history has ${id}`, async () => {
        const { json } = await list('status=FAILED&limit=100');
        return (json.jobs as readonly Record<string, unknown>[]).find((job) => job.id === id);
      });
      expect(failed).toMatchObject({
        status: 'FAILED',
        code: 'WORKER_ERROR',
        error: expect.stringContaining('no seed'),
      });
      const { json: page } = await list(`error=${failed.fingerprint}&limit=1`);
      expect(page.jobs).toHaveLength(1);
      expect(Date.parse(String(page.readTo))).toBeGreaterThan(0);
    });

    it('[route.failures] are grouped by their errors', async () => {
      const ids = [await run({ op: 'fail', message: 'no seed 1' }), await run({ op: 'fail', message: 'no seed 2' })];
      for (const id of ids) await ended(id);
      const group = await eventually('the failures are grouped', async () => {
        const { json } = await askAt('management', 'GET', `/endpoints/${target.endpoint}/failures`);
        const groups = json.failures as readonly { count: number; error?: string; job: string }[];
        return groups.find(({ job, count }) => ids.includes(job) && count >= 2);
      });
      expect(group.error).toContain('no seed');
    });

    it('[route.series][route.costs] are summed by time, with the time up to which they are summed', async () => {
      const { json: series } = await askAt('management', 'GET', `/endpoints/${target.endpoint}/series?step=hour`);
      expect(series).toMatchObject({ step: 'hour', points: expect.any(Array), total: { ended: expect.any(Object) } });
      const { json: costs } = await askAt('management', 'GET', `/costs?endpoint=${target.endpoint}&by=day,key`);
      expect(costs).toMatchObject({ costs: expect.any(Array), total: { dollars: { total: expect.any(Number) } } });
      for (const { summedTo } of [series, costs]) expect(Date.parse(String(summedTo))).toBeGreaterThan(0);
    });

    it('[route.series][route.costs][errors.400] are refused with a step or a group that does not exist', async () => {
      const step = await askAt('management', 'GET', `/endpoints/${target.endpoint}/series?step=week`);
      const group = await askAt('management', 'GET', '/costs?by=owner');
      expect([step.status, step.json.code, group.status, group.json.code]).toEqual([
        ...[400, 'INVALID_REQUEST'],
        ...[400, 'INVALID_REQUEST'],
      ]);
    });

    it('[route.list-jobs][errors.404] are not found if the key may not call the endpoint', async () => {
      const { status, json } = await askAt('management', 'GET', '/jobs?endpoint=No%20endpoint');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });

    it('[route.failures][errors.404] are not found if the endpoint is not deployed', async () => {
      const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere/failures');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });
  });

  describe('workers that have stopped', () => {
    it('[route.ended-workers] are listed for an endpoint, with the time up to which they are read', async () => {
      const path = `/endpoints/${target.endpoint}/workers/ended?since=2026-01-01&limit=1`;
      const { status, json } = await askAt('management', 'GET', path);
      expect(status).toBe(200);
      const workers = json.workers as readonly { readonly endedAt: string }[];
      for (const { endedAt } of workers) expect(Date.parse(endedAt)).toBeGreaterThan(0);
      expect(workers.length).toBeLessThanOrEqual(1);
      expect(Date.parse(String(json.readTo))).toBeGreaterThan(0);
    });

    it('[route.ended-workers][errors.404] are not found if the endpoint is not deployed', async () => {
      const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere/workers/ended');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });
  });

  describe('what changed on an endpoint', () => {
    it('[route.events] is listed with who changed it', async () => {
      await ask('POST', 'purge-queue');
      const path = `/endpoints/${target.endpoint}/events?kind=PURGE`;
      const event = await eventually('the history has the purge', async () => {
        const { json } = await askAt('management', 'GET', path);
        return (json.events as readonly Record<string, unknown>[])[0];
      });
      expect(event).toMatchObject({ kind: 'PURGE', jobs: expect.any(Number), by: { kind: 'key' } });
    });

    it('[route.events][errors.404] is not found if the endpoint is not deployed', async () => {
      const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere/events');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });
  });

  describe('the lines of the workers of an endpoint', () => {
    it('[route.endpoint-logs] are those of all workers, with a cursor, because more can follow', async () => {
      const id = await run({ text: 'hello' });
      await ended(id);
      const path = `/endpoints/${target.endpoint}/logs?source=agent`;
      // Lines of earlier jobs can fill the first pages.
      let cursor = '';
      const look = async () => {
        const { json } = await askAt('management', 'GET', `${path}${cursor}`);
        cursor = `&cursor=${json.nextCursor}`;
        const lines = json.lines as readonly { readonly message: string; readonly worker: string }[];
        const line = lines.find(({ message }) => message.includes(id));
        return line && { line, nextCursor: json.nextCursor };
      };
      const page = await eventually(`a line of ${id}`, look, { every: 1_000 });
      expect(page.line.worker).toMatch(/^[0-9a-f]{32}$/);
      const next = await askAt('management', 'GET', `${path}&cursor=${page.nextCursor}`);
      expect(next.status).toBe(200);
    });

    it('[route.endpoint-logs][errors.404] are not found if the endpoint is not deployed', async () => {
      const { status, json } = await askAt('management', 'GET', '/endpoints/nowhere/logs');
      expect([status, json.code]).toEqual([404, 'ENDPOINT_NOT_FOUND']);
    });
  });

  describe('an operation for users of the console', () => {
    it('[route.resume][errors.401] rejects every API key, even a key that permits all operations', async () => {
      const { status, json } = await askAt('management', 'POST', `/endpoints/${target.endpoint}/resume`);
      expect([status, json.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(json.error).toContain('No API key may call resume');
    });

    for (const [method, path, operation] of [
      ['GET', '/keys', 'list-keys'],
      ['POST', '/keys', 'create-key'],
      ['DELETE', '/keys/000000000000', 'revoke-key'],
    ] as const)
      it(`[route.list-keys][route.create-key][route.revoke-key][errors.401] rejects every API key: ${method} ${path}`, async () => {
        const body = method === 'POST' ? '{"name":"more"}' : undefined;
        const { status, json } = await askAt('management', method, path, { ...(body && { body }) });
        expect([status, json.code]).toEqual([401, 'UNAUTHORIZED']);
        expect(json.error).toContain(`No API key may call ${operation}`);
      });
  });

  describe('a job whose endpoint is unknown', () => {
    const find = (id: string) => askAt('management', 'GET', `/jobs/${id}`);

    it('[route.find-job] is found by its id, with its status', async () => {
      const id = await run({ op: 'sleep', ms: 60_000 });
      await jobIn(id, 'IN_PROGRESS');
      const { endpoint } = target;
      expect(await find(id)).toMatchObject({ status: 200, json: { endpoint, id, status: 'IN_PROGRESS' } });
      await ask('POST', `cancel/${id}`);
      expect((await find(id)).json).toEqual({ endpoint, id, status: 'CANCELLED' });
    });

    it('[route.find-job][errors.404] is not found if no endpoint has it', async () => {
      for (const id of ['0'.repeat(36), 'sync-x', '%00', '__proto__']) {
        const { status, json } = await find(id);
        expect([id, status, json.code]).toEqual([id, 404, 'JOB_NOT_FOUND']);
      }
    });
  });
}
