import { describe, expect, it } from '@jest/globals';
import { AGENT_UNHEALTHY } from '../../core/limits.ts';
import { runUntilShutdown } from '../../worker/agent/shutdown.ts';
import { eventually } from '../acceptance/local-service.ts';
import { log } from './agents.ts';
import { emulated, ports } from './emulated-agents.ts';
import { type Answer, START_TIMEOUT, useHttpWorkers, workers } from './http-server.ts';

useHttpWorkers();

const never = new Promise<never>(() => undefined);

/** Answers with JSON. */
const one: Answer = ({ response }) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');

/** Never answers. */
const silent: Answer = () => undefined;

describe('an HTTP server that starts', () => {
  it('gets no job before it is healthy', async () => {
    const worker = await workers.open('ht-o', one, { health: 503 });
    const id = await worker.submit();
    await eventually('the health of the server is checked', () => worker.server.asked > 2 || undefined, { every: 5 });
    expect(await worker.read(id)).toMatchObject({ status: 'IN_QUEUE' });
    worker.server.health = 200;
    await worker.becomes(id, 'COMPLETED');
  });

  it('stops its task if it takes too long to become healthy', async () => {
    const worker = await workers.open('ht-p', silent, { health: 503 });
    const said: string[] = [];
    const logging = { ...log, error: (message: string) => void said.push(message) };
    const exitCode = runUntilShutdown(worker.agent, { log: logging, asked: never, lost: worker.slots.lost });
    emulated.clock.advance(START_TIMEOUT - 1);
    const asked = worker.server.asked;
    await eventually('the health of the server is checked', () => worker.server.asked > asked + 2 || undefined, {
      every: 5,
    });
    expect(said).toEqual([]);
    emulated.clock.advance(1);
    expect(await exitCode).toBe(AGENT_UNHEALTHY);
    const reason = `The server did not answer /health on port ${worker.server.port} with 200 within 300000 ms`;
    expect(said).toEqual([`${reason}: its last answer was 503. The task stops.`]);
  });
});

describe('an HTTP server that exits or is unhealthy', () => {
  it('has its job requeued, and gets the job again when it is healthy', async () => {
    const worker = await workers.open('ht-q', ({ response }, n) => {
      if (n === 1) worker.server.die();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');
    });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    await worker.becomes(id, 'IN_QUEUE');
    worker.server.health = 503;
    await worker.server.revive();
    await eventually('the health of the server is checked again', () => worker.server.asked > 3 || undefined, {
      every: 5,
    });
    expect(worker.server.posts).toBe(1);
    worker.server.health = 200;
    await worker.becomes(id, 'COMPLETED');
    expect(await ports.jobs.read({ endpoint: 'ht-q', id })).toMatchObject({ attempt: 2 });
  });

  it('has its job requeued even if it has begun to answer', async () => {
    const worker = await workers.open('ht-r', ({ response }) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write('1\n', () => worker.server.die());
    });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    await worker.becomes(id, 'IN_QUEUE');
  });

  it('stops its task if it does not start again', async () => {
    const worker = await workers.open('ht-s', () => worker.server.die());
    const exitCode = runUntilShutdown(worker.agent, { log, asked: never, lost: worker.slots.lost });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    await worker.becomes(id, 'IN_QUEUE');
    let ended: number | undefined;
    void exitCode.then((code) => {
      ended = code;
    });
    const code = await eventually('the task stops', () => {
      emulated.clock.advance(START_TIMEOUT);
      return ended;
    });
    expect(code).toBe(AGENT_UNHEALTHY);
  });

  it('does not stop its task while it still runs another job', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    const half: Answer = async ({ response }, n) => {
      worker.server.health = 503;
      if (n === 2) response.destroy();
      await asked;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');
    };
    const worker = await workers.open('ht-1', half, { concurrency: 2 });
    let lost = false;
    void worker.slots.lost.then(() => {
      lost = true;
    });
    const first = await worker.submit();
    await eventually('the first job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    const second = await worker.submit();
    await eventually('the second job is posted', () => worker.server.posts === 2 || undefined, { every: 5 });
    await worker.becomes(second, 'IN_QUEUE');
    emulated.clock.advance(START_TIMEOUT);
    const before = worker.server.asked;
    await eventually('the health of the server is checked', () => worker.server.asked > before + 2 || undefined, {
      every: 5,
    });
    expect(lost).toBe(false);
    answer();
    await worker.becomes(first, 'COMPLETED');
  });

  it('gets no job after three failed health checks in a row while idle, until it is healthy again', async () => {
    const worker = await workers.open('ht-t', one, { looked: true });
    await worker.becomes(await worker.submit(), 'COMPLETED');
    worker.server.health = 500;
    const { asked } = worker.server;
    await eventually('the health check has failed', () => worker.server.asked >= asked + 5 || undefined, { every: 5 });
    const id = await worker.submit();
    await eventually(
      'the health of the server is checked again',
      () => worker.server.asked >= asked + 10 || undefined,
      { every: 5 },
    );
    expect(await worker.read(id)).toMatchObject({ status: 'IN_QUEUE' });
    worker.server.health = 200;
    await worker.becomes(id, 'COMPLETED');
  });

  it('may fail its health check while it runs a job', async () => {
    const { promise: asked, resolve: finish } = Promise.withResolvers<void>();
    const answer: Answer = async ({ response }) => {
      worker.server.health = 500;
      await asked;
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('1');
    };
    const worker = await workers.open('ht-u', answer, { looked: true });
    const id = await worker.submit();
    await eventually('the job is posted', () => worker.server.posts === 1 || undefined, { every: 5 });
    const before = worker.server.asked;
    for (let calls = 0; calls < 10; calls += 1) await worker.read(id);
    expect(worker.server.asked).toBe(before);
    finish();
    await worker.becomes(id, 'COMPLETED');
  });
});
