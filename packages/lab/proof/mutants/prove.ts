/** Removes each of the twelve guards, one at a time, and counts how many the layers notice. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copyTree } from '../../../../test/support/copied-tree.ts';
import { applyPatch, assertFits } from '../../mutants/copy.ts';
import { find } from '../explorer/prove.ts';
import { removals } from '../explorer/removals.ts';
import { MAX_FAULTS } from '../model/arbitraries.ts';
import { type Guard, guards } from './guards.ts';

const layers = ['explorer', 'model', 'model with faults'] as const;
type Layer = (typeof layers)[number];

const SEQUENCES = 400;
const LIMIT = 600_000;
const FOUND = 3;

/** @returns the broken promise that the layer has found, or undefined */
function hunt(copy: string, seed: number, maxFaults: number): string | undefined {
  const args = ['packages/lab/proof/mutants/hunt.ts', seed, SEQUENCES, maxFaults].map(String);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, timeout: LIMIT, encoding: 'utf8' });
  if (status === FOUND) return stdout.trim();
  if (status !== 0) throw new Error(`The random sequences failed to run: ${stderr}`);
  return undefined;
}

function explore({ removal: name }: Guard): string | undefined {
  const removal = removals.find((candidate) => candidate.name === name);
  if (!removal) return undefined;
  const { broke, breaks, trace } = find(removal);
  return broke === breaks ? `${breaks} after ${trace.length} steps` : undefined;
}

function noticed(copy: string, guard: Guard, layer: Layer, seed: number): string | undefined {
  if (layer === 'explorer') return explore(guard);
  const undo = guard.patches.map((patch) => applyPatch(copy, patch)).reverse();
  try {
    return hunt(copy, seed, layer === 'model' ? 0 : MAX_FAULTS);
  } finally {
    for (const back of undo) back();
  }
}

/** @returns whether at least one layer noticed each missing guard */
export function proveByMutants(seed: number): boolean {
  for (const { name, patches } of guards) for (const patch of patches) assertFits(name, patch);
  const unknown = guards.filter(({ removal }) => removal && !removals.some(({ name }) => name === removal));
  if (unknown.length > 0) throw new Error(`explorer/removals.ts has no removal "${unknown[0]?.removal}".`);

  console.log(`seed ${seed}`);
  const kills = new Map<Layer, number>(layers.map((layer) => [layer, 0]));
  let killed = 0;
  const copy = copyTree();
  try {
    for (const guard of guards) {
      console.log(guard.name);
      const by = layers.filter((layer) => {
        const what = noticed(copy, guard, layer, seed);
        console.log(`  ${layer.padEnd(18)} ${what ?? 'does not notice'}`);
        return what !== undefined;
      });
      for (const layer of by) kills.set(layer, (kills.get(layer) ?? 0) + 1);
      if (by.length > 0) killed += 1;
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  for (const [layer, count] of kills) console.log(`${layer.padEnd(18)} ${count} of ${guards.length} mutants killed`);
  console.log(`together           ${killed} of ${guards.length} mutants killed`);
  return killed === guards.length;
}
