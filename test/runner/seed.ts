/** Seeds of tests that choose at random. Each can be set by a variable, and the report of the run lists each. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { inRunFolder, isInRun } from './run-folder.ts';

/** Seed of all property tests. It is set before the first file of a run. */
export const PROPERTY_SEED = 'PROPERTY_SEED';

/** A file of the run's folder with a line for each seed. */
const SEEDS = 'seeds.jsonl';

export interface StoredSeed {
  /** Path relative to the repository. */
  readonly file: string;
  readonly name: string;
  readonly seed: number;
}

let present = '';

/**
 * Sets the current test file. The environment calls this function before it loads the file.
 * @param file path relative to the repository
 */
export function setCurrentFile(file: string): void {
  present = file;
}

export const newSeed = (): number => Date.now() % 2 ** 31;

/**
 * Reads the seed from the variable, and stores it for the report.
 *
 * @param fallback seed if the variable is not set
 * @throws if the variable is not a whole number
 */
export function seedOf(name: string, fallback: number = newSeed()): number {
  const text = process.env[name] || String(fallback);
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is ${text}; it must be a whole number.`);
  const stored: StoredSeed = { file: present, name, seed: Number(text) };
  if (isInRun()) appendFileSync(inRunFolder(SEEDS), `${JSON.stringify(stored)}\n`);
  return stored.seed;
}

export function storedSeeds(): StoredSeed[] {
  const log = inRunFolder(SEEDS);
  if (!existsSync(log)) return [];
  const lines = new Set(readFileSync(log, 'utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => JSON.parse(line) as StoredSeed);
}

/** @returns a function that returns random numbers from 0 up to `below`, determined by the seed */
export function numbersOf(seed: number): (below: number) => number {
  let state = seed % 2_147_483_648;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
