/** Makes the table of docs/real-workers.md from the cells that the suite runs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { table } from '../../../bench/markdown.ts';
import { type Cell, cellsOf } from './cell.ts';
import { comfyui } from './comfyui.ts';
import { pins, SDK_VERSIONS, type WorkerName } from './pins.ts';
import { sdkCells } from './sdk.ts';
import { attachedVllm, vllm } from './vllm.ts';
import { whisper } from './whisper.ts';

const PAGE = 'docs/real-workers.md';
const TABLE = /^\| worker .*?\|\n(?!\|)/ms;

const behaviours = { vllm, whisper, comfyui };

/** The endpoint of worker-vllm to which a command is attached. */
export const attachedEndpoint = 'vllm-attached';

/** The cells of a worker repository; its name is that of its endpoint. */
export function workerCells(name: WorkerName): Cell[] {
  const { repository, commit } = pins[name];
  const worker = { worker: repository, version: commit };
  return [
    ...cellsOf({ ...worker, endpoint: name }, behaviours[name]),
    ...(name === 'vllm' ? cellsOf({ ...worker, endpoint: attachedEndpoint }, attachedVllm) : []),
  ];
}

/** Those that run from packages alone. @param s3Url address of S3, once it is known */
export const allSdkCells = (s3Url: () => string): Cell[] => SDK_VERSIONS.flatMap((version) => sdkCells(version, s3Url));

/** @param resultOf returns the table's text for a cell */
export const tableOf = (cells: readonly Cell[], resultOf: (cell: Cell) => string): string =>
  table(
    ['worker', 'version', 'behaviour', 'result'],
    4,
    cells.map((cell) => [cell.worker, cell.version, cell.name, resultOf(cell)]),
  );

/** Returns the page's own table. */
export const recorded = (): string => TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0].trimEnd() ?? '';

/** Puts the table into the page. */
export function record(text: string): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(TABLE, () => `${text}\n`),
  );
}
