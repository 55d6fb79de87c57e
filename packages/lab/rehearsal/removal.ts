/** Removes an endpoint and the deployment with `npx gpu-endpoints remove`, as docs/guides/remove.md describes. */

import { removeDeclaration } from '../../../test/support/repository.ts';
import type { Ended } from '../../../test/support/running.ts';
import type { Commands } from './commands.ts';
import { type Account, type Left, leftIn, retained, since } from './left.ts';
import { eventually, type Service } from './service.ts';

export interface Stage {
  readonly commands: Commands;
  /** Folder of the copy in which declarations are changed. */
  readonly repository: string;
  readonly say: (line: string) => void;
}

/** The part of the JSON of `npx gpu-endpoints remove` that the rehearsal reads. */
interface Planned {
  readonly steps: readonly { readonly do: string; readonly stacks?: readonly { readonly name: string }[] }[];
  readonly kept: readonly { readonly type: string; readonly name: string }[];
}

/** Exit codes of `npx gpu-endpoints remove`. */
const [REFUSED, NOT_CONFIRMED, INTERRUPTED] = [1, 2, 130];

/** @throws Error with the expectation and the actual value, unless the condition is true */
export function check(holds: boolean, sentence: string, found: unknown): void {
  if (!holds) throw new Error(`${sentence} was expected, found ${JSON.stringify(found)}.`);
}

const expectEnd = (ended: Ended, code: number, text: string) =>
  check(
    ended.code === code && `${ended.stdout}${ended.stderr}`.includes(text),
    `npx gpu-endpoints remove to exit with ${code} and print ${JSON.stringify(text)}`,
    ended,
  );

/** Removes an endpoint whose declaration was removed. The command needs only what is deployed. */
export async function removeEndpoint(
  { commands, repository, say }: Stage,
  service: Service,
  endpoint: string,
): Promise<void> {
  removeDeclaration(repository, endpoint);
  const undeclared = await commands.undeclaredStacks();
  check(undeclared.length === 1, '`npx gpu-endpoints stacks` with one stack that is not declared', undeclared);
  say(
    `npx gpu-endpoints stacks: ${undeclared[0]} is deployed and not declared. npx gpu-endpoints remove endpoint ${endpoint} ...`,
  );
  expectEnd(await commands.remove('endpoint', endpoint), NOT_CONFIRMED, `Delete ${undeclared[0]}`);
  check((await commands.undeclaredStacks()).length === 1, 'the stack, without an agreement', undeclared);
  expectEnd(await commands.remove('endpoint', endpoint, '--yes'), 0, `${undeclared[0]}: DELETE_COMPLETE`);
  check(
    (await commands.undeclaredStacks()).length === 0,
    '`npx gpu-endpoints stacks` without such a stack',
    undeclared,
  );
  expectEnd(await commands.remove('endpoint', endpoint, '--yes'), 0, `${endpoint} is not deployed`);
  const call = () => service.job(endpoint, 'run', { method: 'POST', body: { input: {} } }, false);
  const { body } = await eventually('404 of the removed endpoint', call, ({ status }) => status === 404);
  check(body.code === 'ENDPOINT_NOT_FOUND', 'the code ENDPOINT_NOT_FOUND', body);
  check(!(await service.endpoints()).has(endpoint), 'GET /endpoints without it', endpoint);
  say(`Requests for ${endpoint} get 404 ENDPOINT_NOT_FOUND.`);
}

/** Names of resources by their types, in the order of both. */
const named = (kept: Planned['kept']) =>
  Object.fromEntries(
    Object.values(retained)
      .toSorted()
      .map((type) => [
        type,
        kept
          .filter((its) => its.type === type)
          .map(({ name }) => name)
          .toSorted(),
      ]),
  );

/**
 * Removes all stacks, with an interruption while one of them is being deleted.
 * @param waiting an endpoint with a waiting job
 * @returns what the command says that it keeps
 */
export async function removeDeployment(
  { commands, say }: Stage,
  deployment: string,
  waiting: string,
): Promise<Planned['kept']> {
  const args = ['deployment', '--with-storage', deployment];
  expectEnd(await commands.remove(...args, '--yes'), REFUSED, `${waiting} has 0 running and 1 waiting jobs`);
  const forced = [...args, '--force'];
  expectEnd(await commands.remove(...forced), NOT_CONFIRMED, 'Wait until the pools have no instances');
  const { steps, kept } = JSON.parse((await commands.remove(...forced, '--json')).stdout) as Planned;
  const names = steps.map(({ do: what, stacks = [] }) =>
    what === 'wait' ? what : stacks.map(({ name }) => name).join(', '),
  );
  say(`npx gpu-endpoints remove deployment: ${names.join('; ')}.`);
  const platform = `${deployment}-Platform`;
  const stopped = await commands.interruptRemove(`${platform}: deletion started`, ...forced, '--yes');
  expectEnd(stopped, INTERRUPTED, `CloudFormation continues to delete ${platform}.`);
  say(`Interrupted while ${platform} was being deleted. Running the same command again ...`);
  const last = await commands.remove(...forced, '--yes');
  expectEnd(last, 0, `${deployment}-Storage: DELETE_COMPLETE`);
  check(
    !last.stdout.includes(`${deployment}-Management`),
    'the second run to skip what the first has deleted',
    last.stdout,
  );
  for (const { name } of kept) check(last.stdout.split(name).length > 2, `a command that deletes ${name}`, last.stdout);
  const again = JSON.parse((await commands.remove(...args, '--json')).stdout) as Planned;
  check(again.steps.length === 0, 'no stack that is left to remove', again.steps);
  check(
    JSON.stringify(named(again.kept)) === JSON.stringify(named(kept)),
    'the same kept resources afterwards',
    again.kept,
  );
  say('Removed. A third run has nothing to remove, and names the same kept resources.');
  return kept;
}

/** Compares the resources that remain with those that the command named as kept. */
export async function compareLeft(
  before: Left,
  account: Account,
  kept: Planned['kept'],
  say: Stage['say'],
): Promise<void> {
  const left = since(before, await leftIn(account));
  for (const [row, type] of Object.entries(retained))
    say(`Kept as in docs/guides/remove.md (${row}): ${(left.get(type) ?? []).length} of ${type}.`);
  const found = [...left].flatMap(([type, names]) => names.map((name) => ({ type, name })));
  const others = found.filter(({ type }) => !(Object.values(retained) as string[]).includes(type));
  check(others.length === 0, 'no other remaining resource', others);
  check(JSON.stringify(named(found)) === JSON.stringify(named(kept)), 'what the command named as kept', {
    found,
    kept,
  });
  for (const type of Object.values(retained)) check((left.get(type) ?? []).length > 0, `${type} left`, left.get(type));
}
