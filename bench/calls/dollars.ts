/** Calls in dollars. */
import type { Prices } from '../../lib/prices/prices.ts';
import type { Figures } from './figures.ts';

/** US dollars for a million of what the figures are of, such as jobs. */
export interface Dollars {
  readonly apiGateway: number;
  readonly lambda: number;
  readonly dataPlane: number;
  readonly total: number;
}

export function dataPlane({ perMillion }: Prices, { wru, rru, sqs, s3Put, s3Get }: Figures): number {
  const { writeUnit, readUnit, sqsRequest, s3Put: put, s3Get: get } = perMillion;
  return wru * writeUnit.price + rru * readUnit.price + sqs * sqsRequest.price + s3Put * put.price + s3Get * get.price;
}

export interface Work {
  readonly own: Figures;
  readonly shared: Figures;
  /** HTTP requests: each is one of API Gateway, one invocation of the authorizer and one of a handler. */
  readonly requests: number;
  readonly ledgerInvocations: number;
  /** How long one of the requests is held, in milliseconds. */
  readonly held?: number;
  /**
   * Calls of a receiver of webhooks, each by one execution of the state machine, which one request of a pipe starts.
   */
  readonly deliveries?: number;
}

/** An execution of one step is charged for 64 MB and 100 ms. */
const EXECUTION_GB_SECONDS = (64 / 1_024) * 0.1;

/** @param memory of a function, in MB */
export function dollarsOf(prices: Prices, work: Work, memory: number): Dollars {
  const { perMillion, assumedMs } = prices;
  const { requests, ledgerInvocations, held = 0, deliveries = 0 } = work;
  const invocations = 2 * requests + ledgerInvocations + deliveries;
  const handled = requests * (assumedMs.authorizer + assumedMs.handler) + deliveries * assumedMs.handler;
  const ms = handled + ledgerInvocations * assumedMs.ledger + held;
  const gbSeconds = (ms / 1_000) * (memory / 1_024);
  const apiGateway = requests * perMillion.apiGatewayRequest.price;
  const lambda = invocations * perMillion.lambdaRequest.price + gbSeconds * perMillion.lambdaGbSecond.price;
  const { pipeRequest, expressRequest, expressGbSecond } = perMillion;
  const execution = pipeRequest.price + expressRequest.price + EXECUTION_GB_SECONDS * expressGbSecond.price;
  const data = dataPlane(prices, work.own) + dataPlane(prices, work.shared) + deliveries * execution;
  return { apiGateway, lambda, dataPlane: data, total: apiGateway + lambda + data };
}
