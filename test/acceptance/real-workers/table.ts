/** Creates the table of docs/reference/real-workers.md from the cells of the suite. */
import { readFileSync, writeFileSync } from 'node:fs';
import { table } from '../../../bin/pages/aligned-table.ts';
import { type Cell, cellsOf } from './cell.ts';
import { comfyui } from './comfyui.ts';
import { pins, SDK_VERSIONS, type WorkerName } from './pins.ts';
import { sdkCells } from './sdk.ts';
import { attachedVllm, vllm } from './vllm.ts';
import { whisper } from './whisper.ts';

const PAGE = 'docs/reference/real-workers.md';
const TABLE = /^\| worker .*?\|\n(?!\|)/ms;

const suites = { vllm, whisper, comfyui };

/** Id of the endpoint of worker-vllm to which a command is attached. */
export const attachedEndpoint = 'vllm-attached';

/** Returns the cells of a worker repository, whose name is also the endpoint's id. */
export function workerCells(name: WorkerName): Cell[] {
  const { repository, commit } = pins[name];
  const worker = { worker: repository, version: commit };
  return [
    ...cellsOf({ ...worker, endpoint: name }, suites[name]),
    ...(name === 'vllm' ? cellsOf({ ...worker, endpoint: attachedEndpoint }, attachedVllm) : []),
  ];
}

/**
 * Returns the cells that need only published packages.
 * @param s3Url returns the address of S3, available when cells run
 */
export const allSdkCells = (s3Url: () => string): Cell[] => SDK_VERSIONS.flatMap((version) => sdkCells(version, s3Url));

/**
 * Returns the table as Markdown: a row for each behaviour and result, with the versions that have it if others differ.
 * @param resultOf returns the text of a cell's result
 */
export function tableOf(cells: readonly Cell[], resultOf: (cell: Cell) => string): string {
  const behaviours = Map.groupBy(cells, ({ worker, name }) => `${worker}: ${name}`);
  const rows = [...behaviours.values()].flatMap((versions) =>
    [...Map.groupBy(versions, resultOf)].map(([result, alike]) => {
      const only = alike.length < versions.length ? ` ${alike.map(({ version }) => version).join(', ')}` : '';
      return [`${alike[0]?.worker}${only}`, String(alike[0]?.name), result];
    }),
  );
  return table(['worker', 'behaviour', 'result'], 3, rows);
}

/** Returns the table in the documentation page. */
export const recorded = (): string => TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0].trimEnd() ?? '';

/** Replaces the table in the documentation page. */
export function record(text: string): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(TABLE, () => `${text}\n`),
  );
}
