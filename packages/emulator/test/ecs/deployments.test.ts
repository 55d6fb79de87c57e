/** Tests rolling deployments of a service whose tasks the test starts and stops. */
import { describe, expect, it } from '@jest/globals';
import type { EcsEvent } from '../../ecs/task-state.ts';
import { definition, revision, type SmallEcs, smallEcs } from './small-ecs.ts';

const MINUTE = 60_000;

const deploymentConfiguration = {
  ...definition.deploymentConfiguration,
  circuitBreaker: { enable: true, rollback: true },
};

/** Starts a service with this number of running tasks of the first revision. */
function running(desiredCount: number, options: Parameters<typeof smallEcs>[1] = {}): SmallEcs {
  const ecs = smallEcs(desiredCount, {
    ...options,
    service: { taskDefinition: revision(1), deploymentConfiguration, ...options.service },
  });
  for (const task of ecs.tasks) task.run();
  return ecs;
}

/** Returns the indexes of the tasks with desired status RUNNING, by revision. */
function numbersOf({ tasks }: SmallEcs): Record<string, number[]> {
  const living = tasks.flatMap(({ state, taskDefinition }, number) =>
    state().desiredStatus === 'RUNNING' ? [[taskDefinition.arn.split('/').at(-1) ?? '', number] as const] : [],
  );
  const grouped = Map.groupBy(living, ([name]) => name);
  return Object.fromEntries([...grouped].map(([name, pairs]) => [name, pairs.map(([, number]) => number)]));
}

const statesOf = ({ service }: SmallEcs) =>
  service
    .deployments()
    .map(({ taskDefinition, rolloutState }) => `${taskDefinition.arn.split(':').at(-1)} ${rolloutState}`);

const nameOf = ({ detail }: EcsEvent) => (detail as { eventName: string }).eventName;

/** Stops the newest task before it runs, several times, and lets the pauses between the attempts pass. */
async function failToStart(ecs: SmallEcs, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    ecs.tasks.at(-1)?.end('no image');
    await ecs.clock.pass(0);
    if (n < times - 1) await ecs.clock.pass(30_000);
  }
}

describe('a deployment', () => {
  it('replaces the old tasks with new ones, and then is complete', async () => {
    const ecs = running(2);
    const { service, tasks, events } = ecs;
    service.update({ taskDefinition: revision(2) });
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    expect(statesOf(ecs)).toEqual(['2 IN_PROGRESS', '1 COMPLETED']);
    tasks[2]?.run('UNKNOWN');
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    tasks[2]?.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0], 'echo:2': [2, 3] });
    expect(tasks[1]?.stops[0]?.cause).toEqual({
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: `Scaling activity initiated by (deployment ${service.deployments()[0]?.id})`,
    });
    tasks[3]?.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:2': [2, 3] });
    expect(statesOf(ecs)).toEqual(['2 COMPLETED']);

    const [primary] = service.deployments();
    expect(events.slice(-2)).toEqual(
      ['SERVICE_DEPLOYMENT_IN_PROGRESS', 'SERVICE_DEPLOYMENT_COMPLETED'].map((eventName) => ({
        source: 'aws.ecs',
        'detail-type': 'ECS Deployment State Change',
        resources: ['arn:aws:ecs:us-east-1:000000000000:service/fleet/echo-Service'],
        detail: {
          eventType: 'INFO',
          eventName,
          deploymentId: primary?.id,
          updatedAt: new Date(ecs.clock.now()).toISOString(),
          reason: `ECS deployment ${primary?.id} ${eventName.endsWith('PROGRESS') ? 'in progress' : 'completed'}.`,
        },
      })),
    );
    expect(primary?.id).toMatch(/^ecs-svc\/\d+$/);
  });

  it('waits 40 s for new tasks without a health check', async () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(2, false) });
    ecs.tasks[1]?.run();
    await ecs.clock.pass(40_000 - 1);
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0], 'echo:2': [1] });
    await ecs.clock.pass(1);
    expect(numbersOf(ecs)).toEqual({ 'echo:2': [1] });
    expect(statesOf(ecs)).toEqual(['2 COMPLETED']);
  });

  it('does not stop protected old tasks until their protection ends or expires', async () => {
    const ecs = running(2);
    const { service, tasks, clock } = ecs;
    const [one, two] = tasks;
    if (!one || !two) throw new Error('There are no tasks.');
    service.protect(one, 10);
    service.protect(two, 5);
    service.update({ taskDefinition: revision(2) });
    for (const task of tasks.slice(2)) task.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    expect(statesOf(ecs)).toEqual(['2 IN_PROGRESS', '1 COMPLETED']);
    service.protect(one, undefined);
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [1], 'echo:2': [2, 3] });
    await clock.pass(5 * MINUTE);
    expect(numbersOf(ecs)).toEqual({ 'echo:2': [2, 3] });
    expect(statesOf(ecs)).toEqual(['2 COMPLETED']);
  });

  it('replaces stopped old tasks with tasks of the old revision until new tasks are healthy', async () => {
    const ecs = running(2);
    ecs.service.update({ taskDefinition: revision(2) });
    await ecs.clock.pass(MINUTE);
    ecs.tasks[0]?.end('exit code 1');
    await ecs.clock.pass(0);
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [1, 4], 'echo:2': [2, 3] });
    ecs.tasks[2]?.run();
    // The task that does not run yet is stopped first.
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [1], 'echo:2': [2, 3] });
    ecs.tasks[1]?.end('exit code 1');
    await ecs.clock.pass(0);
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [5], 'echo:2': [2, 3] });
  });

  it('is complete immediately if no task is desired', () => {
    const ecs = running(0);
    ecs.service.update({ taskDefinition: revision(2) });
    expect(statesOf(ecs)).toEqual(['2 COMPLETED']);
    ecs.service.update({ desiredCount: 1 });
    expect(numbersOf(ecs)).toEqual({ 'echo:2': [0] });
  });

  it('replaces an earlier deployment that is still in progress', () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(2) });
    ecs.service.update({ taskDefinition: revision(3) });
    // The service is at its maximum, so the new task replaces the one that does not run yet.
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0], 'echo:3': [2] });
    ecs.tasks[2]?.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:3': [2] });
    expect(statesOf(ecs)).toEqual(['3 COMPLETED']);
    expect(ecs.events.map(nameOf)).not.toContain('SERVICE_DEPLOYMENT_FAILED');
  });

  it('begins for the same revision only if it is forced', () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(1) });
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0] });
    ecs.service.update({ forceNewDeployment: true });
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0, 1] });
    ecs.tasks[1]?.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [1] });
  });

  it('continues when the desired count changes', () => {
    const ecs = running(2);
    ecs.service.update({ taskDefinition: revision(2) });
    ecs.service.update({ desiredCount: 1 });
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0], 'echo:2': [2] });
    ecs.tasks[2]?.run();
    expect(numbersOf(ecs)).toEqual({ 'echo:2': [2] });
    expect(statesOf(ecs)).toEqual(['2 COMPLETED']);
  });
});

describe('a deployment', () => {
  it('rolls back to the last completed deployment when it fails', async () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(2) });
    const [bad, good] = ecs.service.deployments();
    await failToStart(ecs, 2);
    expect(bad).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 2 });
    await ecs.clock.pass(30_000);
    await failToStart(ecs, 1);
    expect(bad).toMatchObject({
      rolloutState: 'FAILED',
      failedTasks: 3,
      reason: 'ECS deployment circuit breaker: tasks failed to start.',
    });
    // The old task still runs, so no task must start.
    expect(numbersOf(ecs)).toEqual({ 'echo:1': [0] });
    expect(ecs.service.deployments()).toEqual([good]);
    expect(ecs.events.map(nameOf).slice(-3)).toEqual([
      'SERVICE_DEPLOYMENT_FAILED',
      'SERVICE_DEPLOYMENT_IN_PROGRESS',
      'SERVICE_DEPLOYMENT_COMPLETED',
    ]);
    expect(ecs.events.at(-2)?.detail).toMatchObject({
      deploymentId: good?.id,
      reason: `ECS deployment circuit breaker: rolling back to deploymentId ${good?.id}.`,
    });
    expect(ecs.notices.at(-1)).toBe(
      'echo could not be moved to echo:2: 3 tasks did not start. It rolls back to echo:1.',
    );
    await ecs.clock.pass(MINUTE);
    expect(ecs.tasks).toHaveLength(4);
  });

  it('does not fail after one of its tasks has been healthy', async () => {
    const ecs = running(2);
    ecs.service.update({ taskDefinition: revision(2) });
    ecs.tasks[2]?.run();
    await ecs.clock.pass(MINUTE);
    ecs.tasks[2]?.end('exit code 1');
    await failToStart(ecs, 5);
    expect(ecs.service.deployments()[0]).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 0 });
  });

  it('counts running tasks that do not become healthy as failed, but not tasks that stop by themselves', async () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(2) });
    for (const ends of [true, true, true, false, false, false]) {
      ecs.tasks.at(-1)?.run('UNKNOWN');
      if (ends) ecs.tasks.at(-1)?.end('exit code 1');
      else ecs.tasks.at(-1)?.becomeUnhealthy();
      await ecs.clock.pass(0);
      if (ends) expect(ecs.service.deployments()[0]?.failedTasks).toBe(0);
      await ecs.clock.pass(30_000);
    }
    expect(statesOf(ecs)).toEqual(['1 COMPLETED']);
  });

  it('does not change the service if it fails without an earlier completed deployment', async () => {
    const ecs = smallEcs(1, { service: { deploymentConfiguration } });
    await failToStart(ecs, 3);
    expect(statesOf(ecs)).toEqual(['1 FAILED']);
    await ecs.clock.pass(MINUTE);
    expect(ecs.tasks).toHaveLength(3);
    ecs.service.update({ forceNewDeployment: true });
    expect(ecs.tasks).toHaveLength(4);
  });

  it('does not fail without a circuit breaker', async () => {
    const ecs = running(1, { service: { deploymentConfiguration: definition.deploymentConfiguration } });
    ecs.service.update({ taskDefinition: revision(2) });
    await failToStart(ecs, 5);
    expect(ecs.service.deployments()[0]).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 5 });
  });
});

describe('a service after a restart', () => {
  it('continues the deployment that was in progress, and can still roll back', async () => {
    const ecs = running(1);
    ecs.service.update({ taskDefinition: revision(2) });
    const before = ecs.kept.at(-1);
    expect(before).toMatchObject({ rolloutState: 'IN_PROGRESS', completed: revision(1) });
    const next = smallEcs(1, { ...(before && { before }), service: { deploymentConfiguration } });
    expect(next.service.deployments()[0]?.id).toBe(before?.id);
    // No old task is left, so the service starts the minimum of healthy tasks together with the new one.
    expect(numbersOf(next)).toEqual({ 'echo:2': [0], 'echo:1': [1] });
    next.tasks[1]?.run();
    for (let n = 0; n < 3; n += 1) {
      next.tasks.findLast(({ taskDefinition }) => taskDefinition.arn === revision(2).arn)?.end('no image');
      await next.clock.pass(30_000);
    }
    expect(numbersOf(next)).toEqual({ 'echo:1': [1] });
    expect(statesOf(next)).toEqual(['1 COMPLETED']);
  });

  it('starts no deployment if the last one was complete', () => {
    const before = running(1).kept.at(-1);
    const next = smallEcs(1, { ...(before && { before }) });
    expect(before?.rolloutState).toBe('COMPLETED');
    next.tasks[0]?.run();
    expect(next.events).toEqual([]);
    expect(numbersOf(next)).toEqual({ 'echo:1': [0] });
  });
});
