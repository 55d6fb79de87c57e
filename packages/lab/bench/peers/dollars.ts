/** The price of a million jobs of the AWS sample. */
import { readPrices } from '../../../../lib/prices/prices.ts';
import { PRICED_POLLS } from './peer.ts';

/** Number of calls and of DynamoDB units, by operation. */
export type CallCounts = Readonly<Partial<Record<string, { readonly calls: number; readonly units: number }>>>;

/**
 * Returns the price of a million jobs that are polled `PRICED_POLLS` times, in dollars.
 * @param api calls of the integrations of API Gateway
 * @param worker calls of the worker
 */
export function samplePrice(api: CallCounts, worker: CallCounts, { perMillion } = readPrices()): number {
  const jobs = api.SendMessage?.calls ?? 0;
  const reads = api.GetItem;
  const write = worker.PutItem;
  if (jobs === 0 || !reads || !write) throw new Error('The calls of no job were counted.');
  const received = (worker.ReceiveMessage?.calls ?? 0) + (worker.DeleteMessage?.calls ?? 0);
  return (
    (1 + PRICED_POLLS) * perMillion.apiGatewayRequest.price +
    (1 + received / jobs) * perMillion.sqsRequest.price +
    (write.units / jobs) * perMillion.writeUnit.price +
    PRICED_POLLS * (reads.units / reads.calls) * perMillion.readUnit.price
  );
}
