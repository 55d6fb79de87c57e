/** Options that the commands share which inspect the stacks of the repository. */
import type { Command } from 'commander';
import { type SettingFlags, withSettings } from '../assembly/context.ts';
import { type Notes, withExample } from '../example.ts';
import type { LoadFlags } from '../saturation/options.ts';

export interface RepositoryFlags extends SettingFlags {
  readonly json?: boolean;
}

export interface StacksFlags extends RepositoryFlags {
  readonly takeBack?: boolean;
}

export interface RemoveFlags extends RepositoryFlags {
  readonly yes?: boolean;
  readonly force?: boolean;
  /** Name of the deployment whose stack Storage is deleted, too. */
  readonly withStorage?: string;
}

export interface PromoteFlags {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

export interface CostFlags extends RepositoryFlags {
  /** Folder with synthesized stacks. */
  readonly app?: string;
  readonly region?: string;
  readonly all?: boolean;
  readonly record?: boolean;
}

export interface SaturationFlags extends LoadFlags {
  readonly quota?: readonly string[];
  readonly all?: boolean;
  readonly record?: boolean;
  readonly json?: boolean;
}

/** Adds `--json` and the example, after the notes. */
export const printing = (command: Command, example: string, notes: Notes = ''): Command =>
  withExample(command.option('--json', 'print only JSON'), example, notes);

/** Adds `--env`, `-c`, `--json` and the example, after the notes. */
export const ofStacks = (command: Command, example: string, notes?: string): Command =>
  printing(withSettings(command), example, notes);
