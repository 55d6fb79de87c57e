/** Updates templates of an idle and of a working endpoint, several times, and once with an update that fails. */
import { call, eventually, jobIn, submit } from '../acceptance/local-service.ts';
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

/** Releases a worker that reads secrets and mounts a volume, and then an image that cannot be pulled. */
export async function released(stage: Stage): Promise<void> {
  await stage.keepSecrets();
  await update(stage, NAMED);
  await releasedAs(stage, 2, 'IN_PROGRESS');
  await update(stage, { env: { ...NAMED.env, AGAIN: 'true' } });
  await releasedAs(stage, 3, 'IN_PROGRESS');
  await run(stage);
  await releasedAs(stage, 3, 'COMPLETED');
  await update(stage, { imageName: 'registry.example/not-there:2' });
  await releasedAs(stage, 4, 'ROLLED_BACK');
  await run(stage);
}
