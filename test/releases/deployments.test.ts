/** Tests which settings of a service deployments change, and which they do not change. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { createRevisions } from '../../aws/releases/revisions.ts';
import type { Endpoints } from '../../core/endpoints/store.ts';
import { release } from '../../core/releases/release.ts';
import { begun } from '../../core/releases/transitions.ts';
import { sweepReleases } from '../../core/sweeper/sweep.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { releaseOf } from './settings.ts';
import { type SmallCloudFormation, startSmallCloudFormation } from './small-cloudformation.ts';

const emulated = useEmulatedDeployment();
let cloudFormation: SmallCloudFormation;

beforeAll(async () => {
  cloudFormation = await startSmallCloudFormation(emulated);
});
afterAll(() => cloudFormation.stop());

const template = { agent: 'one', service: { team: 'a' }, minWorkers: 0 };
const revisionOf = (id: string, revision: number) =>
  `arn:aws:ecs:us-east-1:000000000000:task-definition/Endpoint-${id}:${revision}`;
const agentOf = (revision: string) =>
  cloudFormation.revision(revision)?.registration.containerDefinitions[0]?.environment[0]?.value;

describe('a new service', () => {
  it('has no workers, and runs the first revision of its family, which is composed from the blueprint', async () => {
    await cloudFormation.deploy('fresh', template);
    expect(cloudFormation.serviceOf('fresh')).toEqual({ desiredCount: 0, taskDefinition: revisionOf('fresh', 1) });
    expect(agentOf('Endpoint-fresh')).toBe('one');
    expect(cloudFormation.families.list('Endpoint-fresh')).toHaveLength(1);
  });

  it('has its minimum number of workers as soon as its endpoint accepts jobs', async () => {
    await cloudFormation.deploy('warm', { ...template, minWorkers: 2 });
    expect(cloudFormation.serviceOf('warm')).toMatchObject({ desiredCount: 2 });
  });

  it('does not change when CloudFormation calls the functions twice', async () => {
    await cloudFormation.deploy('twice', template, { twice: true });
    await cloudFormation.deploy('twice', { ...template, agent: 'two' }, { twice: true });
    expect(cloudFormation.families.list('Endpoint-twice')).toHaveLength(2);
    expect(cloudFormation.serviceOf('twice')).toEqual({ desiredCount: 0, taskDefinition: revisionOf('twice', 2) });
  });
});

describe('a deployment after a release', () => {
  it('keeps the release and the workers if it does not change the service', async () => {
    await cloudFormation.deploy('kept', template);
    const released = await cloudFormation.releaseAtRunTime('kept', 'released');
    cloudFormation.setDesired('kept', 3);
    await cloudFormation.deploy('kept', template);
    expect(cloudFormation.serviceOf('kept')).toEqual({ desiredCount: 3, taskDefinition: released });
    expect(cloudFormation.families.list('Endpoint-kept')).toHaveLength(2);
  });

  it('keeps the release and the workers if it changes only tags of the service', async () => {
    await cloudFormation.deploy('tagged', { ...template, minWorkers: 1 });
    const released = await cloudFormation.releaseAtRunTime('tagged', 'released');
    cloudFormation.setDesired('tagged', 3);
    await cloudFormation.deploy('tagged', { ...template, minWorkers: 1, service: { team: 'b' } });
    expect(cloudFormation.serviceOf('tagged')).toEqual({ desiredCount: 3, taskDefinition: released });
    expect(agentOf(released)).toBe('released');
  });

  it('releases a changed blueprint as the next revision, and keeps the number of workers', async () => {
    await cloudFormation.deploy('upgraded', template);
    await cloudFormation.releaseAtRunTime('upgraded', 'released');
    cloudFormation.setDesired('upgraded', 3);
    await cloudFormation.deploy('upgraded', { ...template, agent: 'two' });
    expect(cloudFormation.serviceOf('upgraded')).toEqual({
      desiredCount: 3,
      taskDefinition: revisionOf('upgraded', 3),
    });
    expect(agentOf(revisionOf('upgraded', 3))).toBe('two');
  });

  it('releases a changed blueprint if it changes the service too', async () => {
    await cloudFormation.deploy('both', template);
    cloudFormation.setDesired('both', 1);
    await cloudFormation.deploy('both', { agent: 'two', service: { team: 'b' }, minWorkers: 2 });
    expect(cloudFormation.serviceOf('both')).toEqual({ desiredCount: 2, taskDefinition: revisionOf('both', 2) });
  });

  it('releases the earlier blueprint again when it is rolled back', async () => {
    await cloudFormation.deploy('back', template);
    await cloudFormation.deploy('back', { ...template, agent: 'two' });
    await cloudFormation.deploy('back', template);
    expect(cloudFormation.serviceOf('back').taskDefinition).toBe(revisionOf('back', 3));
    expect(agentOf('Endpoint-back')).toBe('one');
  });
});

describe('a deployment that moves the service to another launch type', () => {
  const onPool = { ...template, provider: 'a-pool-of-instances' };
  const compatibilitiesOf = (revision: string) =>
    cloudFormation.revision(revision)?.registration.requiresCompatibilities;
  const storedRelease = async (id: string) => (await emulated.ports.endpoints.readNow(id))?.release;

  /** Runs the part of a sweep that follows the release of an endpoint. */
  async function sweep(id: string): Promise<void> {
    const { revisions, history, templates, vault } = createReleasePorts();
    const endpoint = await emulated.ports.endpoints.readNow(id);
    const ports = portsWith(emulated.ports, { revisions, history, templates, vault });
    if (endpoint && (await sweepReleases(ports, endpoint))) await release(ports, id);
  }

  it('first registers a revision for the new launch type, then runs it, and keeps the number of workers', async () => {
    await cloudFormation.deploy('moved', template);
    cloudFormation.setDesired('moved', 3);
    await cloudFormation.deploy('moved', onPool);
    expect(cloudFormation.serviceOf('moved')).toEqual({ desiredCount: 3, taskDefinition: revisionOf('moved', 2) });
    expect(compatibilitiesOf('Endpoint-moved')).toEqual(['EC2']);
    await cloudFormation.deploy('moved', template);
    expect(cloudFormation.serviceOf('moved')).toEqual({ desiredCount: 3, taskDefinition: revisionOf('moved', 3) });
    expect(compatibilitiesOf('Endpoint-moved')).toEqual(['FARGATE']);
    // Each move registers exactly one revision.
    expect(cloudFormation.families.list('Endpoint-moved')).toHaveLength(3);
  });

  it('gives the same result when CloudFormation calls the functions twice', async () => {
    await cloudFormation.deploy('moved-twice', template, { twice: true });
    await cloudFormation.deploy('moved-twice', onPool, { twice: true });
    expect(cloudFormation.families.list('Endpoint-moved-twice')).toHaveLength(2);
    expect(cloudFormation.serviceOf('moved-twice').taskDefinition).toBe(revisionOf('moved-twice', 2));
  });

  it('is not rolled back to the previous revision, because that revision is for the other launch type', async () => {
    const id = 'no-way-back';
    await cloudFormation.deploy(id, template);
    const complete = await storedRelease(id);
    if (!complete) throw new Error('The endpoint has no release.');
    await emulated.ports.endpoints.setRelease(id, complete, { ...complete, state: 'COMPLETED' });
    await cloudFormation.deploy(id, onPool);
    const release = await storedRelease(id);
    expect(release).toMatchObject({ revision: revisionOf(id, 2), state: 'IN_PROGRESS', launchType: 'EC2' });
    expect(release?.restore).toBeUndefined();
  });

  it('uses its own blueprint until the endpoint is registered with it, even during another release', () => {
    const moves = releaseOf('r:2', { blueprint: 'b:2', movesFrom: 'b:1' });
    const { template: its } = moves;
    expect(begun(moves, { revision: 'r:3', blueprint: 'b:2', template: its }, 1)).toMatchObject({ movesFrom: 'b:1' });
    expect(begun(moves, { revision: 'r:3', blueprint: 'b:3', template: its }, 1)).not.toHaveProperty('movesFrom');
  });

  it('is not undone by a sweep before the service is moved or before the endpoint is registered', async () => {
    const id = 'swept';
    await cloudFormation.deploy(id, template);
    const before = cloudFormation.serviceOf(id);
    await cloudFormation.deploy(id, onPool, {
      async beforeService() {
        await sweep(id);
        expect(cloudFormation.serviceOf(id)).toEqual(before);
      },
      async beforeRecord() {
        await sweep(id);
        expect(cloudFormation.serviceOf(id).taskDefinition).toBe(revisionOf(id, 2));
      },
    });
    await sweep(id);
    expect(cloudFormation.serviceOf(id).taskDefinition).toBe(revisionOf(id, 2));
    expect(cloudFormation.families.list(`Endpoint-${id}`)).toHaveLength(2);
  });

  it.each([
    ['before the service is moved', 'beforeService'],
    ['after the service was moved', 'beforeRecord'],
  ])('is rolled back if it fails %s', async (_, at) => {
    const id = at.toLowerCase();
    await cloudFormation.deploy(id, template);
    const fails = { [at]: () => Promise.reject(new Error('Another resource failed.')) };
    await expect(cloudFormation.deploy(id, onPool, fails)).rejects.toThrow('Another resource');
    await cloudFormation.deploy(id, template);
    await sweep(id);
    const { taskDefinition } = cloudFormation.serviceOf(id);
    expect(taskDefinition).toBe(revisionOf(id, 3));
    expect(compatibilitiesOf(String(taskDefinition))).toEqual(['FARGATE']);
    const active = cloudFormation.families.list(`Endpoint-${id}`).filter(({ status }) => status === 'ACTIVE');
    expect(active.map(({ revision }) => revision)).toEqual([1, 3]);
  });
});

describe('a release', () => {
  const parts = () => {
    const { revisions, history, templates, vault } = createReleasePorts();
    return { revisions, history, templates, vault };
  };

  /** Releases another blueprint of an endpoint. `store` replaces the first write that stores the release. */
  async function releaseWith(id: string, store: (real: Endpoints['setRelease']) => Endpoints['setRelease']) {
    await cloudFormation.deploy(id, template);
    const { endpoints } = emulated.ports;
    const present = await endpoints.readNow(id);
    if (!present) throw new Error(`The endpoint ${id} does not exist.`);
    await endpoints.register({ ...present, blueprint: cloudFormation.blueprintOf(id, 'two') });
    const real: Endpoints['setRelease'] = (...facts) => endpoints.setRelease(...facts);
    const writes = [store(real)];
    const setRelease: Endpoints['setRelease'] = (...facts) => (writes.pop() ?? real)(...facts);
    const storing = Object.assign(Object.create(endpoints) as Endpoints, { setRelease });
    await release(portsWith(emulated.ports, { ...parts(), endpoints: storing }), id);
    const active = cloudFormation.families.list(`Endpoint-${id}`).filter(({ status }) => status === 'ACTIVE');
    return { active: active.map(({ revision }) => revision), runs: cloudFormation.serviceOf(id).taskDefinition };
  }

  it('withdraws its own revision if a simultaneous release was stored first', async () => {
    const { active, runs } = await releaseWith('second', (real) => async (id, from, to) => {
      const revisions = createRevisions();
      const other = await revisions.register(await revisions.read(to.revision));
      await real(id, from, { ...to, revision: other });
      return real(id, from, to);
    });
    expect({ active, runs }).toEqual({ active: [3], runs: revisionOf('second', 3) });
  });

  it('keeps its revision if its write succeeded and the repeated write is refused', async () => {
    const { active, runs } = await releaseWith('refused', (real) => async (id, from, to) => {
      await real(id, from, to);
      return false;
    });
    expect({ active, runs }).toEqual({ active: [2], runs: revisionOf('refused', 2) });
  });
});

describe('a stack that is deleted', () => {
  it('leaves no active revision and no settings of its service', async () => {
    await cloudFormation.deploy('gone', { ...template, minWorkers: 2 });
    await cloudFormation.deploy('gone-not', template);
    await cloudFormation.destroy('gone');
    expect(cloudFormation.revision('Endpoint-gone')).toBeUndefined();
    expect(cloudFormation.revision('Endpoint-gone-not')).toBeDefined();
    await emulated.deploy('gone');
    const { release, desiredWorkers } = (await emulated.ports.endpoints.readNow('gone')) ?? {};
    expect({ release, desiredWorkers }).toEqual({ release: undefined, desiredWorkers: undefined });
  });
});
