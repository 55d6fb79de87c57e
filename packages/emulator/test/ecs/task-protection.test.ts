import { afterEach, describe, expect, it } from '@jest/globals';
import { AwsFault } from '../../aws-proxy/aws-fault.ts';
import { createEcsApi } from '../../ecs/ecs-api.ts';
import { type MetadataServer, startMetadataServer } from '../../ecs/metadata.ts';
import { taskProtectionEndpoint } from '../../ecs/task-protection.ts';
import type { Authorize } from '../../iam/permissions.ts';
import { type FakeTask, smallEcs } from './small-ecs.ts';

const MINUTE = 60_000;

let metadata: MetadataServer | undefined;

afterEach(() => {
  metadata?.close();
  metadata = undefined;
});

/** Starts a service whose tasks run, and the endpoint at their `ECS_AGENT_URI`. */
async function protectable(desiredCount: number, authorize?: Authorize) {
  const ecs = smallEcs(desiredCount);
  for (const task of ecs.tasks) task.run();
  const { running } = ecs.definitions;
  const server = await startMetadataServer(taskProtectionEndpoint(running, createEcsApi(ecs.definitions), authorize));
  metadata = server;
  const ask = async (task: FakeTask | undefined, init?: RequestInit) => {
    const address = `${server.agentAddress(task?.id ?? 'none')}/task-protection/v1/state`;
    const response = await fetch(address, init);
    return { status: response.status, answer: (await response.json()) as Record<string, Record<string, unknown>> };
  };
  const put = (task: FakeTask | undefined, body: unknown) =>
    ask(task, { method: 'PUT', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const { clock, tasks, service } = ecs;
  return { ask, put, clock, tasks, service };
}

const on = { ProtectionEnabled: true };
const off = { ProtectionEnabled: false };
const isRunning = (task: FakeTask | undefined) => task?.state().desiredStatus === 'RUNNING';

describe('task protection', () => {
  it('lasts two hours by default', async () => {
    const { ask, put, clock, tasks } = await protectable(1);
    const [task] = tasks;
    const protection = {
      ExpirationDate: new Date(clock.now() + 120 * MINUTE).toISOString(),
      ProtectionEnabled: true,
      TaskArn: task?.state().taskArn,
    };
    expect(await put(task, on)).toEqual({ status: 200, answer: { protection } });
    await clock.pass(120 * MINUTE - 1);
    expect(await ask(task)).toEqual({ status: 200, answer: { protection } });
    await clock.pass(1);
    expect((await ask(task)).answer.protection).toEqual({
      ExpirationDate: null,
      ProtectionEnabled: false,
      TaskArn: task?.state().taskArn,
    });
  });

  it('restarts its period with every call', async () => {
    const { ask, put, clock, tasks } = await protectable(1);
    await put(tasks[0], { ...on, ExpiresInMinutes: 1 });
    await clock.pass(MINUTE - 1);
    await put(tasks[0], { ...on, ExpiresInMinutes: 1 });
    await clock.pass(MINUTE - 1);
    expect((await ask(tasks[0])).answer.protection).toMatchObject({ ProtectionEnabled: true });
    await clock.pass(1);
    expect((await ask(tasks[0])).answer.protection).toMatchObject({ ProtectionEnabled: false });
  });

  it('prevents the scale-in of a task until the protection ends', async () => {
    const { put, tasks, service } = await protectable(3);
    await put(tasks[2], on);
    service.update({ desiredCount: 0 });
    expect(tasks.map(isRunning)).toEqual([false, false, true]);
    await put(tasks[2], off);
    expect(tasks.map(isRunning)).toEqual([false, false, false]);
    expect(tasks[2]?.state().stopCode).toBe('ServiceSchedulerInitiated');
  });

  it('prevents the scale-in of a task until the protection expires', async () => {
    const { put, clock, tasks, service } = await protectable(1);
    await put(tasks[0], { ...on, ExpiresInMinutes: 5 });
    service.update({ desiredCount: 0 });
    await clock.pass(5 * MINUTE - 1);
    expect(isRunning(tasks[0])).toBe(true);
    await clock.pass(1);
    expect(isRunning(tasks[0])).toBe(false);
  });

  it('causes the stop of a task when the protection ends only if the task is surplus', async () => {
    const { put, tasks } = await protectable(1);
    await put(tasks[0], on);
    await put(tasks[0], off);
    expect(isRunning(tasks[0])).toBe(true);
  });

  it('is refused for more tasks than the service desires', async () => {
    const { ask, put, tasks, service } = await protectable(2);
    const [first, second] = tasks;
    await put(first, on);
    await put(second, on);
    service.update({ desiredCount: 1 });
    expect(tasks.map(isRunning)).toEqual([true, true]);
    const failure = { Arn: second?.state().taskArn, Detail: null, Reason: 'DEPLOYMENT_BLOCKED' };
    expect(await put(second, on)).toEqual({ status: 200, answer: { failure } });
    expect((await ask(second)).answer.protection).toMatchObject({ ProtectionEnabled: true });

    await put(first, off);
    expect(tasks.map(isRunning)).toEqual([false, true]);
    expect((await put(second, on)).answer).toHaveProperty('protection');
    service.update({ desiredCount: 0 });
    expect((await put(second, on)).answer.failure).toMatchObject({ Reason: 'DEPLOYMENT_BLOCKED' });
  });

  it('is refused for a task that is being stopped', async () => {
    const { put, tasks, service } = await protectable(1);
    service.update({ desiredCount: 0 });
    const { answer } = await put(tasks[0], on);
    expect(answer.failure).toMatchObject({ Reason: 'TASK_NOT_VALID' });
  });

  it('requires a permission of the task role', async () => {
    const asked: unknown[] = [];
    const { ask, put, tasks } = await protectable(1, (...question) => {
      asked.push(question);
      throw new AwsFault(400, 'AccessDeniedException', 'not authorized');
    });
    const Arn = tasks[0]?.state().taskArn;
    expect(await put(tasks[0], on)).toEqual({
      status: 400,
      answer: {
        requestID: expect.any(String),
        error: { Arn, Code: 'AccessDeniedException', Message: 'not authorized' },
      },
    });
    await ask(tasks[0]);
    const context = {
      'aws:ResourceTag/endpoint': ['echo'],
      'ecs:cluster': ['arn:aws:ecs:us-east-1:000000000000:cluster/fleet'],
    };
    expect(asked).toEqual([
      ['arn:aws:iam::000000000000:role/echo-role', 'ecs:UpdateTaskProtection', Arn, context],
      ['arn:aws:iam::000000000000:role/echo-role', 'ecs:GetTaskProtection', Arn, context],
    ]);
  });

  it.each([
    ['a string as its body', 'on', 'UpdateTaskProtection: failed to decode request'],
    ['an unknown member', { ...on, Minutes: 1 }, 'UpdateTaskProtection: failed to decode request'],
    ['a string as ProtectionEnabled', { ProtectionEnabled: 'true' }, 'UpdateTaskProtection: failed to decode request'],
    ['no member', {}, "Invalid request: does not contain 'ProtectionEnabled' field"],
    ['a period of 0', { ...on, ExpiresInMinutes: 0 }, 'UpdateTaskProtection: expiresInMinutes cannot be 0.'],
    [
      'a period that is too long',
      { ...on, ExpiresInMinutes: 2_881 },
      'UpdateTaskProtection: expiresInMinutes cannot be 2881.',
    ],
  ])('is refused if the request has %s', async (_, body, Message) => {
    const { ask, put, tasks } = await protectable(1);
    const { status, answer } = await put(tasks[0], body);
    expect([status, answer.error]).toEqual([
      400,
      { Arn: tasks[0]?.state().taskArn, Code: 'InvalidParameterException', Message },
    ]);
    expect((await ask(tasks[0])).answer.protection).toMatchObject({ ProtectionEnabled: false });
  });

  it('is refused with 404 for an unknown task', async () => {
    const { ask } = await protectable(1);
    expect((await ask(undefined)).status).toBe(404);
  });
});
