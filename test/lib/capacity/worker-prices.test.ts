/** Tests the hourly price of a worker, which a synthesis computes for the console. */
import { describe, expect, it } from '@jest/globals';
import type { CapacityRequest } from '../../../lib/capacity/capacity.ts';
import { capacityOf } from '../../../lib/capacity/kinds.ts';
import { workerHour, workerPrices } from '../../../lib/capacity/worker-prices.ts';
import { readPrices } from '../../../lib/prices/prices.ts';
import { declare, declarePool, stackOf, synthesize } from '../synthesis.ts';

const prices = readPrices();
const { perHour, instanceHour } = prices;
const g5 = instanceHour['g5.xlarge']?.price ?? Number.NaN;
const g6 = instanceHour['g6.xlarge']?.price ?? Number.NaN;

/** Returns the price in us-east-1 of a worker on Fargate or on a pool. */
function hourOf(request: CapacityRequest, differences?: Parameters<typeof declarePool>[1]): number | undefined {
  const pool = differences && declarePool('gpus', differences);
  return workerPrices(capacityOf(request, pool), pool)['us-east-1']?.hour;
}

describe('an hour of a worker', () => {
  it('costs the price of its vCPUs and its memory on Fargate', () => {
    const { fargateVcpu, fargateGb } = perHour;
    expect(hourOf({})).toBeCloseTo(fargateVcpu.price + 2 * fargateGb.price, 8);
    expect(hourOf({ cpu: 4096, memory: 16_384 })).toBeCloseTo(4 * fargateVcpu.price + 16 * fargateGb.price, 8);
  });

  it('costs the price of the whole instance if no other worker runs on it', () => {
    expect(hourOf({}, {})).toBe(g5);
  });

  it.each([
    ['one of four GPUs', { gpus: 1 }, 4],
    ['two of four GPUs', { gpus: 2 }, 2],
    ['three of four GPUs, which leaves no room for another worker', { gpus: 3 }, 1],
    ['one GPU and half of the memory', { gpus: 1, memory: 80_000 }, 2],
  ])('costs its part of the price of a full instance, with %s', (_, request, workers) => {
    const pool = declarePool('gpus', { instanceTypes: ['g5.12xlarge'] });
    const row = { price: 6, date: '2026-01-01', source: 'test' };
    const hour = workerHour(capacityOf(request, pool), pool, { ...prices, instanceHour: { 'g5.12xlarge': row } });
    expect(hour).toBe(6 / workers);
  });

  it('costs the price of the most expensive type of its pool', () => {
    expect(hourOf({}, { instanceTypes: ['g6.xlarge', 'g5.xlarge'] })).toBe(Math.max(g5, g6));
  });

  it.each([
    ['on Fargate Spot', { spot: true }, undefined],
    ['on Spot Instances', {}, { spot: true }],
    ['on a type without a price', {}, { instanceTypes: ['p5.48xlarge'] }],
    ['on several types, one without a price', {}, { instanceTypes: ['g5.xlarge', 'g5.2xlarge'] }],
  ])('has an unknown price %s', (_, declaration, pool) => {
    expect(hourOf(declaration, pool)).toBeUndefined();
  });
});

describe('the registration of an endpoint', () => {
  const pricesOf = (spot: boolean) => {
    const { template } = stackOf(synthesize(declare('llm', { spot })), 'Endpoint-llm');
    const [registration] = Object.values(template.findResources('Custom::Endpoint'));
    return JSON.parse(registration?.Properties.workerPrices);
  };

  it('has the price of a worker in each Region with a price file, and the day of the prices', () => {
    const { fargateVcpu, fargateGb } = perHour;
    const hour = expect.closeTo(fargateVcpu.price + 2 * fargateGb.price);
    expect(pricesOf(false)).toEqual({ 'us-east-1': { hour, date: '2026-06-17' } });
  });

  it('has no price of a worker if a price from which it is computed is unknown', () => {
    expect(pricesOf(true)).toEqual({});
  });
});
