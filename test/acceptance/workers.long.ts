/**
 * Tests workers of every kind behind the agent, over HTTP: workers of RunPod's Python SDK, of this project's Node
 * SDK, and plain HTTP servers.
 */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { type Behaviour, behaviours } from './workers/behaviours.ts';
import { type Kind, kinds, titles } from './workers/kinds.ts';
import { kindsHere, withPython } from './workers/kinds-here.ts';
import { placeAt } from './workers/place.ts';
import { pythonWithSdk } from './workers/python.ts';

const FOLDER = resolve('test/acceptance/workers');
const LIMIT = 4 * MINUTE;

const stateDir = newStateDir();
let service: LocalService | undefined;

const keyOf = (kind: Kind, { name }: Behaviour) => `${kind}: ${name}`;
const cells = kindsHere.flatMap((kind) => behaviours.map((behaviour) => ({ kind, behaviour })));
const outcomes = new Map(cells.map(({ kind, behaviour }) => [keyOf(kind, behaviour), Promise.withResolvers<void>()]));
// A cell is one behaviour of one kind of worker. Its test awaits the outcome and reports its failure.
for (const { promise } of outcomes.values()) promise.catch(() => undefined);

function titleOf(kind: Kind, { name, instead }: Behaviour): string {
  const other = instead?.[kind];
  return other ? `${name} (not supported: ${other.because})` : name;
}

/**
 * Runs the cells of one endpoint one after the other, and all endpoints at the same time. They spend most of their
 * time waiting.
 */
function runAll(running: LocalService): void {
  const places = Map.groupBy(cells, ({ kind, behaviour }) => kinds[kind][behaviour.of]);
  for (const [endpoint, theirs] of places)
    void theirs.reduce(async (before, { kind, behaviour }) => {
      await before;
      const check = behaviour.instead?.[kind]?.check ?? behaviour.check;
      const outcome = outcomes.get(keyOf(kind, behaviour));
      await check(placeAt(running, endpoint)).then(outcome?.resolve, outcome?.reject);
    }, Promise.resolve());
}

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const declarations = readDeclarations(FOLDER).filter(
    ({ id, image }) => (withPython || image !== 'test/python-worker') && !id.startsWith('storm-'),
  );
  await Promise.all([assemblyWith(assembly, declarations), withPython && pythonWithSdk()]);
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  const running = await startService(stateDir, { args: ['--assembly', assembly], env });
  service = running;
  runAll(running);
}, 5 * MINUTE);

afterAll(async () => {
  if (service) await stopService(service);
});

it('tests workers of all kinds if Python is installed', () => {
  if (!withPython) console.log("RunPod's SDK is not tested: Python with virtual environments is missing.");
  expect(kindsHere).toEqual(withPython ? ['python', 'node', 'http'] : ['node', 'http']);
});

describe.each(kindsHere.map((kind) => [titles[kind], kind] as const))('a worker that uses %s', (_, kind) => {
  it.each(behaviours.map((behaviour) => [titleOf(kind, behaviour), behaviour] as const))(
    '%s',
    (_title, behaviour) => outcomes.get(keyOf(kind, behaviour))?.promise,
    LIMIT,
  );
});
