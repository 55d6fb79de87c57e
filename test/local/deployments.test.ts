/** Rolling deployments of a service whose tasks a test starts and ends by hand. */
import { describe, expect, it } from '@jest/globals';
import type { EcsEvent } from '../../local/fleet/task-state.ts';
import { definition, revision, type SmallFleet, smallFleet } from './small-fleet.ts';

const MINUTE = 60_000;

const deploymentConfiguration = {
  ...definition.deploymentConfiguration,
  circuitBreaker: { enable: true, rollback: true },
};

/** A service with as many running tasks, of the first revision. */
function running(desiredCount: number, options: Parameters<typeof smallFleet>[1] = {}): SmallFleet {
  const fleet = smallFleet(desiredCount, {
    ...options,
    service: { taskDefinition: revision(1), deploymentConfiguration, ...options.service },
  });
  for (const task of fleet.tasks) task.run();
  return fleet;
}

/** Numbers of the tasks that shall run, by revision. */
function numbersOf({ tasks }: SmallFleet): Record<string, number[]> {
  const living = tasks.flatMap(({ state, taskDefinition }, number) =>
    state().desiredStatus === 'RUNNING' ? [[taskDefinition.arn.split('/').at(-1) ?? '', number] as const] : [],
  );
  const grouped = Map.groupBy(living, ([name]) => name);
  return Object.fromEntries([...grouped].map(([name, pairs]) => [name, pairs.map(([, number]) => number)]));
}

const statesOf = ({ service }: SmallFleet) =>
  service
    .deployments()
    .map(({ taskDefinition, rolloutState }) => `${taskDefinition.arn.split(':').at(-1)} ${rolloutState}`);

const nameOf = ({ detail }: EcsEvent) => (detail as { eventName: string }).eventName;

/** Ends the newest tasks before they run, with the pauses that follow. */
async function failToStart(fleet: SmallFleet, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    fleet.tasks.at(-1)?.end('no image');
    await fleet.clock.pass(0);
    if (n < times - 1) await fleet.clock.pass(30_000);
  }
}

describe('a deployment', () => {
  it('replaces its tasks by new ones, and then is complete', async () => {
    const fleet = running(2);
    const { service, tasks, events } = fleet;
    service.update({ taskDefinition: revision(2) });
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    expect(statesOf(fleet)).toEqual(['2 IN_PROGRESS', '1 COMPLETED']);
    tasks[2]?.run('UNKNOWN');
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    tasks[2]?.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0], 'echo:2': [2, 3] });
    expect(tasks[1]?.stops[0]?.cause).toEqual({
      stopCode: 'ServiceSchedulerInitiated',
      stoppedReason: `Scaling activity initiated by (deployment ${service.deployments()[0]?.id})`,
    });
    tasks[3]?.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:2': [2, 3] });
    expect(statesOf(fleet)).toEqual(['2 COMPLETED']);

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
          updatedAt: new Date(fleet.clock.now()).toISOString(),
          reason: `ECS deployment ${primary?.id} ${eventName.endsWith('PROGRESS') ? 'in progress' : 'completed'}.`,
        },
      })),
    );
    expect(primary?.id).toMatch(/^ecs-svc\/\d+$/);
  });

  it('waits 40 s for new tasks without a health check', async () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(2, false) });
    fleet.tasks[1]?.run();
    await fleet.clock.pass(40_000 - 1);
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0], 'echo:2': [1] });
    await fleet.clock.pass(1);
    expect(numbersOf(fleet)).toEqual({ 'echo:2': [1] });
    expect(statesOf(fleet)).toEqual(['2 COMPLETED']);
  });

  it('leaves protected old tasks until they are unprotected or the period is over', async () => {
    const fleet = running(2);
    const { service, tasks, clock } = fleet;
    const [one, two] = tasks;
    if (!one || !two) throw new Error('There are no tasks.');
    service.protect(one, 10);
    service.protect(two, 5);
    service.update({ taskDefinition: revision(2) });
    for (const task of tasks.slice(2)) task.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0, 1], 'echo:2': [2, 3] });
    expect(statesOf(fleet)).toEqual(['2 IN_PROGRESS', '1 COMPLETED']);
    service.protect(one, undefined);
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [1], 'echo:2': [2, 3] });
    await clock.pass(5 * MINUTE);
    expect(numbersOf(fleet)).toEqual({ 'echo:2': [2, 3] });
    expect(statesOf(fleet)).toEqual(['2 COMPLETED']);
  });

  it('replaces old tasks that end by old ones until new ones are healthy', async () => {
    const fleet = running(2);
    fleet.service.update({ taskDefinition: revision(2) });
    await fleet.clock.pass(MINUTE);
    fleet.tasks[0]?.end('exit code 1');
    await fleet.clock.pass(0);
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [1, 4], 'echo:2': [2, 3] });
    fleet.tasks[2]?.run();
    // That which does not run yet goes first.
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [1], 'echo:2': [2, 3] });
    fleet.tasks[1]?.end('exit code 1');
    await fleet.clock.pass(0);
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [5], 'echo:2': [2, 3] });
  });

  it('is complete at once where no task is desired', () => {
    const fleet = running(0);
    fleet.service.update({ taskDefinition: revision(2) });
    expect(statesOf(fleet)).toEqual(['2 COMPLETED']);
    fleet.service.update({ desiredCount: 1 });
    expect(numbersOf(fleet)).toEqual({ 'echo:2': [0] });
  });

  it('that comes before another is over takes its place', () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(2) });
    fleet.service.update({ taskDefinition: revision(3) });
    // One too many, and there is no room for another but in place of the one that does not run yet.
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0], 'echo:3': [2] });
    fleet.tasks[2]?.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:3': [2] });
    expect(statesOf(fleet)).toEqual(['3 COMPLETED']);
    expect(fleet.events.map(nameOf)).not.toContain('SERVICE_DEPLOYMENT_FAILED');
  });

  it('to the same revision begins only if it is forced', () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(1) });
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0] });
    fleet.service.update({ forceNewDeployment: true });
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0, 1] });
    fleet.tasks[1]?.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [1] });
  });

  it('goes on with another desired count', () => {
    const fleet = running(2);
    fleet.service.update({ taskDefinition: revision(2) });
    fleet.service.update({ desiredCount: 1 });
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0], 'echo:2': [2] });
    fleet.tasks[2]?.run();
    expect(numbersOf(fleet)).toEqual({ 'echo:2': [2] });
    expect(statesOf(fleet)).toEqual(['2 COMPLETED']);
  });
});

describe('a deployment', () => {
  it('that fails gives its place back to the last one that was complete', async () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(2) });
    const [bad, good] = fleet.service.deployments();
    await failToStart(fleet, 2);
    expect(bad).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 2 });
    await fleet.clock.pass(30_000);
    await failToStart(fleet, 1);
    expect(bad).toMatchObject({
      rolloutState: 'FAILED',
      failedTasks: 3,
      reason: 'ECS deployment circuit breaker: tasks failed to start.',
    });
    // The old task was never touched, and nothing has to start.
    expect(numbersOf(fleet)).toEqual({ 'echo:1': [0] });
    expect(fleet.service.deployments()).toEqual([good]);
    expect(fleet.events.map(nameOf).slice(-3)).toEqual([
      'SERVICE_DEPLOYMENT_FAILED',
      'SERVICE_DEPLOYMENT_IN_PROGRESS',
      'SERVICE_DEPLOYMENT_COMPLETED',
    ]);
    expect(fleet.events.at(-2)?.detail).toMatchObject({
      deploymentId: good?.id,
      reason: `ECS deployment circuit breaker: rolling back to deploymentId ${good?.id}.`,
    });
    expect(fleet.notes.at(-1)).toBe(
      'echo could not be moved to echo:2: 3 tasks did not start. It goes back to echo:1.',
    );
    await fleet.clock.pass(MINUTE);
    expect(fleet.tasks).toHaveLength(4);
  });

  it('does not fail once a task of it has been healthy', async () => {
    const fleet = running(2);
    fleet.service.update({ taskDefinition: revision(2) });
    fleet.tasks[2]?.run();
    await fleet.clock.pass(MINUTE);
    fleet.tasks[2]?.end('exit code 1');
    await failToStart(fleet, 5);
    expect(fleet.service.deployments()[0]).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 0 });
  });

  it('fails of tasks that run and do not become healthy, and not of those that end by themselves', async () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(2) });
    for (const ends of [true, true, true, false, false, false]) {
      fleet.tasks.at(-1)?.run('UNKNOWN');
      if (ends) fleet.tasks.at(-1)?.end('exit code 1');
      else fleet.tasks.at(-1)?.becomeUnhealthy();
      await fleet.clock.pass(0);
      if (ends) expect(fleet.service.deployments()[0]?.failedTasks).toBe(0);
      await fleet.clock.pass(30_000);
    }
    expect(statesOf(fleet)).toEqual(['1 COMPLETED']);
  });

  it('that fails with nothing to go back to leaves the service as it is', async () => {
    const fleet = smallFleet(1, { service: { deploymentConfiguration } });
    await failToStart(fleet, 3);
    expect(statesOf(fleet)).toEqual(['1 FAILED']);
    await fleet.clock.pass(MINUTE);
    expect(fleet.tasks).toHaveLength(3);
    fleet.service.update({ forceNewDeployment: true });
    expect(fleet.tasks).toHaveLength(4);
  });

  it('does not fail without a circuit breaker', async () => {
    const fleet = running(1, { service: { deploymentConfiguration: definition.deploymentConfiguration } });
    fleet.service.update({ taskDefinition: revision(2) });
    await failToStart(fleet, 5);
    expect(fleet.service.deployments()[0]).toMatchObject({ rolloutState: 'IN_PROGRESS', failedTasks: 5 });
  });
});

describe('a service that is started again', () => {
  it('goes on with the deployment that was in progress, and can still go back', async () => {
    const fleet = running(1);
    fleet.service.update({ taskDefinition: revision(2) });
    const before = fleet.kept.at(-1);
    expect(before).toMatchObject({ rolloutState: 'IN_PROGRESS', completed: revision(1) });
    const next = smallFleet(1, { ...(before && { before }), service: { deploymentConfiguration } });
    expect(next.service.deployments()[0]?.id).toBe(before?.id);
    // There is no old task any more: as many as must be healthy are started along with the new one.
    expect(numbersOf(next)).toEqual({ 'echo:2': [0], 'echo:1': [1] });
    next.tasks[1]?.run();
    for (let n = 0; n < 3; n += 1) {
      next.tasks.findLast(({ taskDefinition }) => taskDefinition.arn === revision(2).arn)?.end('no image');
      await next.clock.pass(30_000);
    }
    expect(numbersOf(next)).toEqual({ 'echo:1': [1] });
    expect(statesOf(next)).toEqual(['1 COMPLETED']);
  });

  it('has no deployment to go through if the last one was complete', () => {
    const before = running(1).kept.at(-1);
    const next = smallFleet(1, { ...(before && { before }) });
    expect(before?.rolloutState).toBe('COMPLETED');
    next.tasks[0]?.run();
    expect(next.events).toEqual([]);
    expect(numbersOf(next)).toEqual({ 'echo:1': [0] });
  });
});
