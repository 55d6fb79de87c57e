/**
 * Updates templates of an idle and of a working endpoint, several times, once while a worker runs a job, and once with an
 * update that fails. Rolls an endpoint back once.
 */
import { BEAT, SECOND } from '../../../core/limits.ts';
import { call, eventually, jobIn, submit } from '../../../test/acceptance/local-service.ts';
import { SERVED } from './assemblies.ts';
import type { Stage } from './stage.ts';

/** The stores that a worker reads when it starts, and the volume that it writes. */
const NAMED = { env: { TOKEN: '{{secrets:TOKEN}}' }, containerRegistryAuthId: 'hub', volumeInGb: 1 };

async function update({ service }: Stage, changes: object): Promise<void> {
  const template = `endpoint-${SERVED}`;
  const body = JSON.stringify(changes);
  const { status, text } = await call(service, 'POST', `${service.ManagementApiUrl}/templates/${template}/update`, {
    body,
  });
  if (status !== 200) throw new Error(`An update of the template of ${SERVED} returned ${status}: ${text}`);
}

/** Milliseconds until ECS gives up after some starts, and until a sweep finds the failure if no event reports it. */
const RELEASED_WITHIN = 150_000;

/** Waits until the newest release has this version of the template and this state. */
async function releasedAs({ service }: Stage, version: number, state: string): Promise<void> {
  const look = async () => {
    const { json } = await call(service, 'GET', `${service.ManagementApiUrl}/endpoints/${SERVED}/releases`);
    const [newest] = (json.releases ?? []) as { readonly version: number; readonly state: string }[];
    return (newest?.version === version && newest.state === state) || undefined;
  };
  await eventually(`version ${version} is ${state} on ${SERVED}`, look, { within: RELEASED_WITHIN });
}

async function run({ service }: Stage): Promise<void> {
  const { json } = await submit(service, '{"input":{}}', SERVED);
  await jobIn(service, json.id, 'COMPLETED', undefined, SERVED);
}

/**
 * Releases another version while a worker runs a job for longer than `BEAT`. After the job, the worker is still
 * protected and reads the leases, to find out whether newer workers replace it.
 */
async function supersede(stage: Stage, version: number, changes: object): Promise<void> {
  const job = { input: { op: 'sleep', ms: BEAT + 5 * SECOND } };
  const { json } = await submit(stage.service, JSON.stringify(job), SERVED);
  await stage.held(SERVED, json.id);
  await update(stage, changes);
  await jobIn(stage.service, json.id, 'COMPLETED', undefined, SERVED);
  await releasedAs(stage, version, 'COMPLETED');
}

/** Rolls back to the release of this version, whose settings then have the other version. */
async function rollBack({ service }: Stage, to: number, version: number): Promise<void> {
  const base = service.ManagementApiUrl;
  const { json } = await call(service, 'GET', `${base}/endpoints/${SERVED}/releases`);
  const releases = json.releases as readonly { readonly version: number; readonly revision: number }[];
  const body = JSON.stringify({ revision: releases.find((release) => release.version === to)?.revision });
  const { status, text } = await call(service, 'POST', `${base}/endpoints/${SERVED}/rollback`, { body });
  if (status !== 200 || !text.includes(`"version":${version}`))
    throw new Error(`The rollback of ${SERVED} to version ${to} returned ${status}: ${text}`);
}

/** Releases a worker that reads secrets and mounts a volume, and then an image that cannot be pulled. */
export async function released(stage: Stage): Promise<void> {
  await stage.keepSecrets();
  await update(stage, NAMED);
  await releasedAs(stage, 2, 'IN_PROGRESS');
  await update(stage, { env: { ...NAMED.env, AGAIN: 'true' } });
  await releasedAs(stage, 3, 'IN_PROGRESS');
  await run(stage);
  await releasedAs(stage, 3, 'COMPLETED');
  await supersede(stage, 4, { env: { ...NAMED.env, AGAIN: 'twice' } });
  await rollBack(stage, 3, 5);
  await releasedAs(stage, 5, 'IN_PROGRESS');
  await run(stage);
  await releasedAs(stage, 5, 'COMPLETED');
  await update(stage, { imageName: 'registry.example/not-there:2' });
  await releasedAs(stage, 6, 'ROLLED_BACK');
  await run(stage);
}
