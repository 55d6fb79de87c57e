/** Converts calls to dollars. */
import type { Prices } from '../../lib/prices/prices.ts';
import type { Figures } from './figures.ts';

/** US dollars for a million jobs, or for a million of whatever else the figures describe. */
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
  /**
   * Number of HTTP requests. Each is a request to API Gateway, an invocation of the authorizer and one of a
   * handler.
   */
  readonly requests: number;
  readonly ledgerInvocations: number;
  /** Time for which a request waits for its response, per job, in milliseconds. Lambda charges for this time. */
  readonly held?: number;
  /**
   * Number of calls to webhook receivers, per job. Each is one execution of the state machine, started by one request of a
   * pipe.
   */
  readonly deliveries?: number;
}

/** GB-seconds of an execution with one step, which is charged as 64 MB for 100 ms. */
const EXECUTION_GB_SECONDS = (64 / 1_024) * 0.1;

/** @param memory memory of a function, in MB */
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
