/** Tests events of ECS over the emulators: why jobs wait, the counts of `/health`, and the desired workers. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { dayOf, resetAfter } from '../../core/endpoints/spending.ts';
import type { TaskEvent, WorkerEvent } from '../../core/fleet/event.ts';
import { observe } from '../../core/fleet/observe.ts';
import { resume } from '../../core/fleet/resume.ts';
import { cancel } from '../../core/jobs/cancel.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LEASE, MINUTE, START_LIMIT } from '../../core/limits.ts';
import { health } from '../../core/status/health.ts';
import { status } from '../../core/status/status.ts';
import { type WaitReason, waitReasons } from '../../core/status/waiting.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { AGENT_FAILING } from '../../core/workers/protocol.ts';
import { startJob, submitJob } from '../jobs/scripted-job.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { type RecordedServices, recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { taskEvent } from './events.ts';

const emulated = useEmulatedDeployment();
let ports: EmulatedDeployment['ports'] & ReturnType<typeof noReleases> & { services: RecordedServices };

beforeEach(() => {
  ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
});

const now = () => emulated.clock.now();
/** Lets every cache expire. */
const expireCaches = () => emulated.clock.advance(ENDPOINT_CACHE);
const follow = async () => record(ports, await emulated.changes());
const countsOf = (endpoint: string) => ports.services.desiredCounts.get(endpoint) ?? [];
const fleetOf = async (endpoint: string) => (await ports.endpoints.readNow(endpoint))?.fleet;

const beat = (endpoint: string, worker: string, readySince: number | null, jobs: string[] = []) =>
  ports.workers.beat({ endpoint, worker, jobs, readySince, endsAt: now() + LEASE, removeAfter: 1 });

const refuses = (service: string, reason: string): WorkerEvent => ({
  of: 'service',
  service,
  name: 'SERVICE_TASK_PLACEMENT_FAILURE',
  reason,
  at: now(),
});
const stops = (service: string, worker: string, differences: Partial<TaskEvent>): WorkerEvent =>
  taskEvent({ service, worker, at: now(), ...differences });
const failsToStart = (service: string, worker: string, stoppedReason: string) =>
  stops(service, worker, { stopCode: 'TaskFailedToStart', stoppedReason, startedAt: undefined });

/** Starts a worker whose agent has a lease, and whose container exits immediately. */
async function exits(endpoint: string, worker: string): Promise<void> {
  emulated.clock.advance(1);
  await beat(endpoint, worker, null);
  const containers = [
    { name: 'agent', exitCode: 0 },
    { name: 'worker', exitCode: 1 },
  ];
  const event = stops(endpoint, worker, { stopCode: 'EssentialContainerExited', containers });
  await observe(ports, { ...event, lastStatus: 'STOPPING' } as WorkerEvent);
  await observe(ports, event);
}

async function waiting(endpoint: string, differences: Parameters<typeof submitJob>[2] = {}) {
  const id = await submitJob(ports, endpoint, differences);
  await follow();
  expireCaches();
  return id;
}

const statusOf = async (endpoint: string, id: string): Promise<Record<string, unknown>> => {
  expireCaches();
  return JSON.parse(String(await status(ports, { endpoint, id })));
};

/**
 * Functions that cause each reason.
 * @returns the waiting job, and the detail in its status
 */
const scenes: Readonly<Record<WaitReason, (endpoint: string) => Promise<[id: string, detail?: string]>>> = {
  async BUDGET_SPENT(endpoint) {
    await emulated.deploy(endpoint, { maxDollarsPerDay: 2 });
    await ports.endpoints.saveSpending(endpoint, { day: dayOf(now()), at: now(), dollars: 2.5 });
    const reset = new Date(resetAfter(now())).toISOString();
    const detail = `The endpoint has spent $2.50 of its \`maxDollarsPerDay\` of $2.00 today (UTC). It starts workers again at ${reset}.`;
    return [await waiting(endpoint), detail];
  },
  async LOW_PRIORITY(endpoint) {
    await waiting(endpoint);
    return [await waiting(endpoint, { lowPriority: true })];
  },
  async NO_CAPACITY(endpoint) {
    const id = await waiting(endpoint);
    await observe(ports, refuses(endpoint, 'RESOURCE:FARGATE'));
    return [id, `The provider has no capacity for a worker: RESOURCE:FARGATE. Since ${new Date(now()).toISOString()}.`];
  },
  async QUOTA(endpoint) {
    const id = await waiting(endpoint);
    await observe(ports, refuses(endpoint, "You've reached the limit on the number of vCPUs you can run concurrently"));
    return [id, "You've reached the limit on the number of vCPUs"];
  },
  async IMAGE_UNAVAILABLE(endpoint) {
    const id = await waiting(endpoint);
    await observe(ports, failsToStart(endpoint, 't1', 'CannotPullContainerError: not found'));
    return [id, 'CannotPullContainerError: not found'];
  },
  async CANNOT_START(endpoint) {
    const id = await waiting(endpoint);
    await observe(ports, failsToStart(endpoint, 't1', 'ResourceInitializationError: no file system'));
    return [id, 'ResourceInitializationError: no file system'];
  },
  async WORKER_EXITS(endpoint) {
    const id = await waiting(endpoint);
    await exits(endpoint, 't1');
    await beat(endpoint, 't2', null);
    return [id, 'container "worker" exited with code 1'];
  },
  async WORKER_UNHEALTHY(endpoint) {
    const id = await waiting(endpoint);
    const reason = { stopCode: 'ServiceSchedulerInitiated', stoppedReason: 'Task failed container health checks' };
    await observe(ports, stops(endpoint, 't1', reason));
    return [id, 'Task failed container health checks'];
  },
  async WORKER_STARTING(endpoint) {
    const id = await waiting(endpoint);
    await beat(endpoint, 't1', null);
    return [id];
  },
  async WAITING_FOR_CAPACITY(endpoint) {
    const id = await waiting(endpoint);
    emulated.clock.advance(START_LIMIT + 1);
    return [id];
  },
  async SCALING_UP(endpoint) {
    const id = await waiting(endpoint);
    const running = { lastStatus: 'PENDING', desiredStatus: 'RUNNING', stopCode: undefined };
    await observe(ports, stops(endpoint, 't1', running));
    return [id, 'A worker is starting.'];
  },
  async NO_WORKER(endpoint) {
    return [await submitJob(ports, endpoint)];
  },
  async WORKERS_BUSY(endpoint) {
    const { id } = await startJob(ports, endpoint, {}, 't1');
    await follow();
    await beat(endpoint, 't1', now(), [id]);
    return [await waiting(endpoint)];
  },
};

describe('a job that waits', () => {
  it.each(Object.keys(waitReasons) as WaitReason[])('has the reason %s', async (reason) => {
    const endpoint = `ob-${reason.toLowerCase().replaceAll('_', '-')}`;
    await emulated.deploy(endpoint, { maxWorkers: 1 });
    const [id, detail] = await scenes[reason](endpoint);
    const waits = await statusOf(endpoint, id);
    expect(waits).toMatchObject({ status: 'IN_QUEUE', waitReason: reason });
    if (detail === undefined) expect(waits).not.toHaveProperty('waitDetail');
    else expect(waits.waitDetail).toContain(detail);
  });
});

describe('/health', () => {
  it('counts missing workers by the reason', async () => {
    await emulated.deploy('ob-h');
    await waiting('ob-h');
    await waiting('ob-h');
    const counted = async () => {
      expireCaches();
      return health(ports, 'ob-h');
    };
    expect(await counted()).toMatchObject({ workers: { initializing: 2, throttled: 0, unhealthy: 0 } });
    expect(await counted()).toHaveProperty('waitReason', 'SCALING_UP');
    await observe(ports, refuses('ob-h', 'RESOURCE:GPU'));
    expect(await counted()).toMatchObject({
      workers: { initializing: 0, throttled: 2, unhealthy: 0 },
      waitReason: 'NO_CAPACITY',
      waitDetail: expect.stringContaining('RESOURCE:GPU'),
    });
    await beat('ob-h', 'good', now());
    emulated.clock.advance(1);
    await exits('ob-h', 'bad');
    await beat('ob-h', 'next', null);
    const workers = { ready: 1, idle: 1, running: 0, initializing: 1, throttled: 0, unhealthy: 0 };
    expect(await counted()).toMatchObject({ workers });
    // A waiting job does not need another worker.
    expect(await counted()).toHaveProperty('waitReason', 'WORKER_STARTING');
  });

  it('no longer counts an unhealthy worker after the endpoint has scaled in', async () => {
    await emulated.deploy('ob-m');
    const id = await waiting('ob-m');
    await beat('ob-m', 'w', now());
    const containers = [{ name: 'agent', exitCode: AGENT_FAILING }];
    await observe(ports, stops('ob-m', 'w', { stopCode: 'EssentialContainerExited', containers }));
    expireCaches();
    expect(await health(ports, 'ob-m')).toMatchObject({ workers: { unhealthy: 1 }, waitReason: 'WORKER_UNHEALTHY' });
    await cancel(ports, { endpoint: 'ob-m', id });
    await follow();
    emulated.clock.advance(MINUTE);
    await sweep(ports);
    expect(countsOf('ob-m')).toEqual([1, 0]);
    await waiting('ob-m');
    const later = await health(ports, 'ob-m');
    expect(later).toMatchObject({ workers: { initializing: 1, unhealthy: 0 } });
    expect(later).toHaveProperty('waitReason', 'SCALING_UP');
  });
});

/** Counts the calls that read endpoints. */
function countReads() {
  const calls = { list: 0, readNow: 0 };
  const { endpoints } = ports;
  const counting: typeof endpoints = Object.assign(Object.create(endpoints) as typeof endpoints, {
    list() {
      calls.list += 1;
      return endpoints.list();
    },
    readNow(id: string) {
      calls.readNow += 1;
      return endpoints.readNow(id);
    },
  });
  return { calls, ports: portsWith(ports, { endpoints: counting }) };
}

describe('the events of many workers', () => {
  it('read only the endpoint that the name of the service contains', async () => {
    // The id contains the words of the name, and the service has the form of a name from CloudFormation.
    const id = 'ob-endpoint-x';
    const service = `gpu-endpoints-Endpoint-${id}-WorkersService6E0C5D4B-Xa1b2C3d4E5f`;
    await emulated.deploy(id, { service, maxWorkers: 20 });
    await emulated.deploy('x', { service: 'gpu-endpoints-Endpoint-x-WorkersService6E0C5D4B-Ya1b2C3d4E5f' });
    const reads = countReads();
    const workers = Array.from({ length: 20 }, (_, n) => `t${n}`);
    const running = { desiredStatus: 'RUNNING', stopCode: undefined, startedAt: undefined };
    for (const lastStatus of ['PENDING', 'ACTIVATING', 'RUNNING'])
      for (const worker of workers) {
        emulated.clock.advance(1);
        const { endpoints } = await observe(reads.ports, stops(service, worker, { ...running, lastStatus }));
        expect(endpoints).toEqual([id]);
      }
    expect(reads.calls.list).toBe(0);
    // Each event reads the endpoint. Those that change the fleet state read it once more.
    expect(reads.calls.readNow).toBeGreaterThanOrEqual(60);
    expect(reads.calls.readNow).toBeLessThanOrEqual(120);
  });

  it('do not change an endpoint whose earlier service has the tasks', async () => {
    await emulated.deploy('ob-moved', { service: 'gpu-endpoints-Endpoint-ob-moved-WorkersService1-New' });
    const reads = countReads();
    const event = failsToStart('gpu-endpoints-Endpoint-ob-moved-WorkersService2-Old', 't1', 'no');
    expect(await observe(reads.ports, event)).toEqual({ endpoints: [], requeued: 0 });
    const gone = failsToStart('gpu-endpoints-Endpoint-ob-gone-WorkersService2-Old', 't1', 'no');
    expect(await observe(reads.ports, gone)).toEqual({ endpoints: [], requeued: 0 });
    expect(reads.calls).toEqual({ list: 0, readNow: 2 });
    expect(await fleetOf('ob-moved')).not.toHaveProperty('condition');
  });
});

describe('an endpoint whose workers exit immediately', () => {
  /** Makes three workers exit before they are ready. */
  async function dying(endpoint: string, config: Parameters<EmulatedDeployment['deploy']>[1] = {}): Promise<string> {
    await emulated.deploy(endpoint, config);
    const id = await waiting(endpoint);
    for (const worker of ['a', 'b', 'c']) await exits(endpoint, `${endpoint}-${worker}`);
    return id;
  }
  const sweepAfter = async (milliseconds: number) => {
    emulated.clock.advance(milliseconds);
    await sweep(ports);
  };

  it('starts no more workers, and reports the reason', async () => {
    const id = await dying('ob-a');
    expect(countsOf('ob-a')).toEqual([1, 0]);
    const until = new Date((await fleetOf('ob-a'))?.backOff?.until ?? 0).toISOString();
    const waits = await statusOf('ob-a', id);
    expect(waits.waitReason).toBe('WORKER_EXITS');
    expect(waits.waitDetail).toContain(`The endpoint backs off: it starts one worker at ${until}.`);
    const { workers, waitReason } = await health(ports, 'ob-a');
    expect(workers).toMatchObject({ initializing: 0, throttled: 0, unhealthy: 1 });
    expect(waitReason).toBe('WORKER_EXITS');
  });

  it('starts more workers after two failures, however often their events arrive', async () => {
    await emulated.deploy('ob-b');
    await waiting('ob-b');
    for (const worker of ['a', 'b', 'a', 'b']) await exits('ob-b', worker);
    expect(countsOf('ob-b')).toEqual([1]);
  });

  it('starts no workers for new jobs or for its minimum number of workers', async () => {
    await dying('ob-c', { minWorkers: 2 });
    expect(countsOf('ob-c').at(-1)).toBe(0);
    const before = countsOf('ob-c').length;
    await waiting('ob-c');
    await sweep(ports);
    expect(countsOf('ob-c')).toHaveLength(before);
  });

  it('starts one worker after the pause, and waits longer if that worker also fails', async () => {
    await dying('ob-d');
    await waiting('ob-d');
    const { until = 0 } = (await fleetOf('ob-d'))?.backOff ?? {};
    await sweepAfter(until - now() - 1);
    expect(countsOf('ob-d')).toEqual([1, 0]);
    await sweepAfter(1);
    expect(countsOf('ob-d')).toEqual([1, 0, 1]);
    await exits('ob-d', 'probe');
    expect(countsOf('ob-d')).toEqual([1, 0, 1, 0]);
    await sweepAfter(MINUTE);
    expect(countsOf('ob-d')).toEqual([1, 0, 1, 0]);
    await sweepAfter(MINUTE);
    expect(countsOf('ob-d')).toEqual([1, 0, 1, 0, 1]);
  });

  it('starts all its workers again as soon as a worker is ready', async () => {
    await dying('ob-e');
    await waiting('ob-e');
    await sweepAfter(MINUTE);
    await beat('ob-e', 'probe', null);
    await sweep(ports);
    expect(countsOf('ob-e')).toEqual([1, 0, 1]);
    await beat('ob-e', 'probe', now());
    await sweep(ports);
    expect(countsOf('ob-e')).toEqual([1, 0, 1, 2]);
    expect(await fleetOf('ob-e')).not.toHaveProperty('backOff');
    expect(await fleetOf('ob-e')).not.toHaveProperty('condition');
  });

  it('does not stop workers that are ready', async () => {
    await emulated.deploy('ob-f');
    await waiting('ob-f');
    await waiting('ob-f');
    await beat('ob-f', 'good', now());
    for (const worker of ['a', 'b', 'c']) await exits('ob-f', worker);
    expect(countsOf('ob-f')).toEqual([1, 2, 1]);
  });

  it('stops a worker that ECS started instead of a failed one', async () => {
    await emulated.deploy('ob-l');
    await waiting('ob-l');
    for (const worker of ['a', 'b']) await exits('ob-l', worker);
    await beat('ob-l', 'next', null);
    await exits('ob-l', 'c');
    expect(countsOf('ob-l')).toEqual([1, 0]);
  });

  it('resumes immediately when another revision is released', async () => {
    await dying('ob-g');
    emulated.clock.advance(1);
    await observe(ports, { of: 'service', service: 'ob-g', name: 'SERVICE_DEPLOYMENT_IN_PROGRESS', at: now() });
    expect(countsOf('ob-g')).toEqual([1, 0, 1]);
    // A failure of an older worker no longer counts.
    await observe(ports, {
      ...stops('ob-g', 'old', { stopCode: 'TaskFailedToStart', startedAt: undefined }),
      at: now() - 1,
    });
    expect(await fleetOf('ob-g')).toMatchObject({ failed: [] });
  });

  it('resumes with the next sweep after its stack registers it again', async () => {
    await dying('ob-i');
    const { id, ...config } = await emulated.deploy('ob-i2');
    emulated.clock.advance(1);
    await ports.endpoints.register({ ...config, id: 'ob-i', service: 'ob-i' });
    await sweep(ports);
    expect([id, ...countsOf('ob-i')]).toEqual(['ob-i2', 1, 0, 1]);
  });

  it('resumes with the next sweep after an operator resumes it', async () => {
    await dying('ob-j');
    emulated.clock.advance(1);
    expect(await resume(ports, 'ob-j')).toMatchObject({ backOff: { tries: 1 } });
    await sweep(ports);
    expect(countsOf('ob-j')).toEqual([1, 0, 1]);
    await expect(resume(ports, 'nowhere')).rejects.toThrow('no endpoint');
  });

  it('does not back off because tasks of a pool never had a place', async () => {
    await emulated.deploy('ob-n');
    const id = await waiting('ob-n');
    for (const worker of ['a', 'b', 'c', 'd']) {
      emulated.clock.advance(1);
      await observe(ports, { ...failsToStart('ob-n', worker, 'no room'), launchType: 'EC2' } as WorkerEvent);
    }
    expect(await fleetOf('ob-n')).toMatchObject({ condition: { is: 'NO_CAPACITY' }, failed: [] });
    expect(await fleetOf('ob-n')).not.toHaveProperty('backOff');
    expect(countsOf('ob-n')).toEqual([1]);
    expect(await statusOf('ob-n', id)).toMatchObject({ waitReason: 'NO_CAPACITY' });
  });

  it('counts failures whose events arrive at the same time', async () => {
    await emulated.deploy('ob-k');
    await waiting('ob-k');
    const failures = ['a', 'b', 'c', 'd'].map((worker) => failsToStart('ob-k', worker, 'CannotPullContainerError: no'));
    await Promise.all(failures.map((event) => observe(ports, event)));
    expect(await fleetOf('ob-k')).toMatchObject({ failed: { length: 4 }, backOff: { tries: 1 } });
    expect(countsOf('ob-k').at(-1)).toBe(0);
  });
});
