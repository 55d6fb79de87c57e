/** The tables of costs on the pages that deploy to a GPU. */

import { dollars, table } from '../../bin/pages/aligned-table.ts';
import { type PriceRow, readPrices } from '../../lib/prices/prices.ts';

/** The GB that a new worker transfers: its image through the NAT gateway, and a model to or from the volume. */
export interface Moved {
  /** @default - the image is in Amazon ECR, and does not pass through the NAT gateway */
  readonly image?: number;
  readonly model?: number;
}

/** vLLM's image, and the model of both examples with vLLM. */
export const vllm: Required<Moved> = { image: 12, model: 15 };

export const moved: Readonly<Record<string, Moved>> = {
  vllm,
  'worker-vllm': vllm,
  'worker-comfyui': { image: 15 },
  'worker-faster-whisper': {},
};

export type CostRow = readonly [what: string, dollars: string];

const prices = readPrices();
const { natProcessed, fileRead, fileWritten, fileMonth } = prices.perGb;

const priceOf = (...rows: PriceRow[]) => rows.reduce((sum, { price }) => sum + price, 0);

/** US dollars of what one worker moves and stores. */
export const ofImage = (gb: number): number => gb * priceOf(natProcessed);
export const ofFirstStart = (gb: number): number => gb * priceOf(natProcessed, fileWritten);
export const ofVolumeMonth = (gb: number): number => gb * priceOf(fileMonth);

/** Returns the rows that the page of an example must contain. */
export function costRows(types: readonly string[], { image, model }: Moved): CostRow[] {
  const hours = types.map(
    (type): CostRow => [`an hour of a worker on \`${type}\`, on demand`, String(prices.instanceHour[type]?.price)],
  );
  const pull = (gb: number): CostRow[] => [
    [`a new instance: ${gb} GB of image through the NAT gateway`, dollars(ofImage(gb))],
  ];
  const volume = (gb: number): CostRow[] => [
    [`the first start: ${gb} GB of model to the volume`, dollars(ofFirstStart(gb))],
    [`each later start: ${gb} GB of model from the volume`, dollars(gb * priceOf(fileRead))],
    [`a month of ${gb} GB on the volume, at most`, dollars(ofVolumeMonth(gb))],
  ];
  return [...hours, ...(image === undefined ? [] : pull(image)), ...(model === undefined ? [] : volume(model))];
}

export const costTable = (rows: readonly CostRow[]): string =>
  table(['what AWS charges in us-east-1', 'dollars'], 1, rows);

/** Returns the section of a page between the two comments. */
export const costsIn = (page: string): string | undefined =>
  /<!-- cost -->(.*?)<!-- \/cost -->/s.exec(page)?.[1]?.trim();
