/** Rehearses the life of a deployment, from the first deployment to the resources that remain after its removal. */

import { declare, declaredEndpoints } from '../../../test/support/repository.ts';
import type { Count, Rehearsable } from './assembly.ts';
import type { Emulator } from './emulator.ts';
import { REGION } from './emulator.ts';
import { leftIn } from './left.ts';
import { check, compareLeft, type Stage as Removal, removeDeployment, removeEndpoint } from './removal.ts';
import { type Answer, eventually, hiddenKeys, Service } from './service.ts';

/** Name of the deployment without settings. */
const DEPLOYMENT = 'gpu-endpoints';
/**
 * A field of an endpoint's file that `GET /endpoints` returns, and two values for it in ms. The rehearsal replaces
 * the current value with the other one.
 */
const FIELD = 'executionTimeout';
const VALUES = [300_000, 300_001] as const;

export interface Stage extends Removal {
  readonly emulator: Emulator;
}

/** @throws Error if the job is not waiting */
async function expectQueued(service: Service, endpoint: string, job: string): Promise<void> {
  const answer = await service.job(endpoint, `status/${job}`);
  check(answer.status === 200 && answer.body.status === 'IN_QUEUE', `/status with IN_QUEUE`, answer);
}

async function submit(service: Service, endpoint: string): Promise<string> {
  const refused = await service.job(endpoint, 'run', {
    method: 'POST',
    body: { input: {} },
    authorization: 'Bearer no',
  });
  check(refused.status === 401, '/run without a valid key answered with 401', refused);
  const { status, body } = await service.job(endpoint, 'run', { method: 'POST', body: { input: { hello: 'AWS' } } });
  check(status === 200 && body.status === 'IN_QUEUE', '/run answered with 200 and IN_QUEUE', { status, body });
  return String(body.id);
}

function reportLeftOut({ stacks, counts, references, images }: Rehearsable, say: Stage['say']): void {
  const sum = (part: keyof Count) => [...counts.values()].reduce((total, count) => total + count[part], 0);
  say(`${stacks.length} stacks with ${sum('made') + sum('leftOut')} resources; ${sum('leftOut')} are omitted:`);
  for (const [type, { leftOut }] of counts) if (leftOut > 0) say(`  ${leftOut} of ${type}`);
  say(`Made-up values replace ${references.length} references to omitted resources:`);
  for (const reference of references) say(`  ${reference}`);
  say(`${images} container images are not built, and no worker runs.`);
}

/**
 * Runs the scenario.
 * @returns the number of resources of each type in the first deployment
 * @throws Error at the first step that fails
 */
export async function rehearse(stage: Stage): Promise<Rehearsable['counts']> {
  const { commands, emulator, repository, say } = stage;
  const account = {
    region: REGION,
    endpoint: emulator.url,
    credentials: { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' },
  };
  const endpoints = declaredEndpoints(repository);
  const [changed, removed] = [endpoints[0], endpoints.at(-1)];
  if (changed === undefined || removed === undefined || changed === removed)
    throw new Error('endpoints/ must declare at least two endpoints: one is changed, and another is removed.');

  say('Synthesizing ...');
  const first = await commands.synthesize('first');
  reportLeftOut(first, say);
  await commands.bootstrap();
  const before = await leftIn(account);
  say('Bootstrapped. Deploying ...');
  await commands.deploy(first.folder);
  say(`Deployed ${first.stacks.map(({ name }) => name).join(', ')}.`);

  const service = new Service({
    emulator: emulator.url,
    jobApiUrl: commands.output('JobGatewayUrl'),
    managementApiUrl: commands.output('ManagementGatewayUrl'),
    secret: await commands.createKey('rehearsal'),
    hiddenKeys: hiddenKeys(first.stacks),
  });
  const registered = await service.endpoints();
  check(
    endpoints.every((id) => registered.has(id)),
    `GET /endpoints with ${endpoints}`,
    [...registered.keys()],
  );
  const job = await submit(service, changed);
  await expectQueued(service, changed, job);
  const queued = (answer: Answer) => (answer.body.jobs as { inQueue?: number } | undefined)?.inQueue === 1;
  await eventually('/health with one job in the queue', () => service.job(changed, 'health'), queued);
  say(`${changed} accepted the job ${job}: IN_QUEUE, and /health counts it.`);

  const present = registered.get(changed)?.[FIELD];
  const value = VALUES.find((candidate) => candidate !== present);
  declare(repository, changed, FIELD, value);
  say(`Changing ${FIELD} of ${changed} from ${present} to ${value} ...`);
  await commands.deploy((await commands.synthesize('changed')).folder);
  await eventually(
    `${FIELD} ${value}`,
    async () => (await service.endpoints()).get(changed)?.[FIELD],
    (shown) => shown === value,
  );
  await expectQueued(service, changed, job);
  say(`Deployed: GET /endpoints returns ${value}, and the job is still IN_QUEUE.`);

  await removeEndpoint(stage, service, removed);
  await expectQueued(service, changed, job);
  say('The job of the other endpoint is still IN_QUEUE.');

  const kept = await removeDeployment(stage, DEPLOYMENT, changed);
  await compareLeft(before, account, kept, say);
  return first.counts;
}
