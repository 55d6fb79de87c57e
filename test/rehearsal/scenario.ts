/** Rehearses the life of a deployment, from the first deployment to the resources that remain after its removal. */
import {
  CloudFormationClient,
  DeleteStackCommand,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import type { Count, Rehearsable, StackArtifact } from './assembly.ts';
import type { Commands } from './commands.ts';
import type { Emulator } from './emulator.ts';
import { REGION } from './emulator.ts';
import { type Account, leftIn, retained, since } from './left.ts';
import { declare, declaredEndpoints, removeDeclaration } from './repository.ts';
import { type Answer, eventually, hiddenKeys, Service } from './service.ts';

/** Maximum number of seconds in which CloudFormation must delete a stack. */
const DELETE_LIMIT = 300;
/**
 * A field of an endpoint's file that `GET /endpoints` returns, and two values for it in ms. The rehearsal replaces
 * the current value with the other one.
 */
const FIELD = 'executionTimeout';
const VALUES = [300_000, 300_001] as const;

export interface Stage {
  readonly commands: Commands;
  readonly emulator: Emulator;
  /** Folder of the copy in which declarations are changed. */
  readonly repository: string;
  readonly say: (line: string) => void;
}

/** @throws Error with the expectation and the actual value, unless the condition is true */
function check(holds: boolean, sentence: string, found: unknown): void {
  if (!holds) throw new Error(`${sentence} was expected, found ${JSON.stringify(found)}.`);
}

async function deleteStack(cloudFormation: CloudFormationClient, StackName: string): Promise<void> {
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete(
    { client: cloudFormation, maxWaitTime: DELETE_LIMIT, minDelay: 1, maxDelay: 2 },
    { StackName },
  );
}

/** Sorts stacks so that each stack precedes its dependencies. */
function inOrderOfRemoval(stacks: readonly StackArtifact[]): StackArtifact[] {
  const ordered: StackArtifact[] = [];
  const visit = (stack: StackArtifact) => {
    if (ordered.includes(stack)) return;
    for (const dependent of stacks) if (dependent.dependencies.includes(stack.id)) visit(dependent);
    ordered.push(stack);
  };
  stacks.forEach(visit);
  return ordered;
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
 * Deletes the stack of an endpoint whose declaration was removed, as docs/guides/remove.md describes: with the name
 * that `npm run stacks` prints.
 */
async function removeEndpoint(
  { commands, repository, say }: Stage,
  cloudFormation: CloudFormationClient,
  service: Service,
  endpoint: string,
): Promise<void> {
  removeDeclaration(repository, endpoint);
  const undeclared = await commands.undeclaredStacks();
  check(undeclared.length === 1, '`npm run stacks` with one stack that is not declared', undeclared);
  say(`npm run stacks: ${undeclared[0]} is deployed and not declared. Deleting it ...`);
  await deleteStack(cloudFormation, undeclared[0] as string);
  check((await commands.undeclaredStacks()).length === 0, '`npm run stacks` without such a stack', undeclared);
  const call = () => service.job(endpoint, 'run', { method: 'POST', body: { input: {} } }, false);
  const { body } = await eventually('404 of the removed endpoint', call, ({ status }) => status === 404);
  check(body.code === 'ENDPOINT_NOT_FOUND', 'the code ENDPOINT_NOT_FOUND', body);
  check(!(await service.endpoints()).has(endpoint), 'GET /endpoints without it', endpoint);
  say(`Requests for ${endpoint} get 404 ENDPOINT_NOT_FOUND.`);
}

/**
 * Destroys the stacks one after the other. Stacks with data are protected: CloudFormation refuses until the
 * protection is disabled.
 */
async function destroyAll(
  { commands, say }: Stage,
  cloudFormation: CloudFormationClient,
  { stacks, folder }: Rehearsable & { readonly folder: string },
): Promise<void> {
  for (const { id, name, isProtected } of inOrderOfRemoval(stacks)) {
    if (!isProtected) {
      await commands.destroy(folder, id);
      say(`Destroyed ${name}.`);
      continue;
    }
    const refused = await commands.destroy(folder, id).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    check(refused?.includes('TerminationProtection') ?? false, `a refusal to destroy ${name}`, refused);
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName: name, EnableTerminationProtection: false }),
    );
    await deleteStack(cloudFormation, name);
    say(`Destroyed ${name}, which was refused until its termination protection was disabled.`);
  }
}

/** Compares the resources that remain after the removal with the retained resources in docs/guides/remove.md. */
async function compareLeft(
  before: Awaited<ReturnType<typeof leftIn>>,
  account: Account,
  tables: number,
  say: Stage['say'],
) {
  const left = since(before, await leftIn(account));
  for (const [row, type] of Object.entries(retained))
    say(`Retained as in docs/guides/remove.md (${row}): ${left.get(type)?.length ?? 0} of ${type}.`);
  const documented: readonly string[] = Object.values(retained);
  const others = [...left].filter(([type, names]) => !documented.includes(type) && names.length > 0);
  check(others.length === 0, 'no other remaining resource', others);
  check(
    left.get(retained['each table'])?.length === tables,
    `${tables} tables remain`,
    left.get(retained['each table']),
  );
  for (const type of documented) check((left.get(type) ?? []).length > 0, `${type} left`, left.get(type));
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
  const cloudFormation = new CloudFormationClient(account);
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

  await removeEndpoint(stage, cloudFormation, service, removed);
  await expectQueued(service, changed, job);
  say('The job of the other endpoint is still IN_QUEUE.');

  const last = await commands.synthesize('last');
  await destroyAll(stage, cloudFormation, last);
  await compareLeft(before, account, first.counts.get('AWS::DynamoDB::Table')?.made ?? 0, say);
  return first.counts;
}
