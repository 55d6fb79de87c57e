/** Measures the latency of other endpoints over HTTP, as their clients see it. */
import { call, eventually, jobIn, type LocalService, readStatus, submit } from '../local-service.ts';

const timed = async (action: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await action();
  return performance.now() - from;
};

/** Returns the milliseconds until a job on an endpoint without workers has ended. */
export const coldStart = (service: LocalService, endpoint: string, within = 60_000): Promise<number> =>
  timed(async () => {
    const { json } = await submit(service, '{"input":{}}', endpoint);
    await jobIn(service, json.id, 'COMPLETED', within, endpoint);
  });

interface Counts {
  readonly completed: number;
}

const completed = async (service: LocalService, endpoint: string): Promise<number> => {
  const { json } = await call(service, 'GET', `${service.JobApiUrl}/${endpoint}/health`);
  return (json.jobs as Counts).completed;
};

/** Returns the milliseconds from the end of a job until `/health` counts it. */
export async function healthLag(service: LocalService, endpoint: string, within = 60_000): Promise<number> {
  const before = await completed(service, endpoint);
  const { json } = await submit(service, '{"input":{}}', endpoint);
  await jobIn(service, json.id, 'COMPLETED', within, endpoint);
  const counts = async () => (await completed(service, endpoint)) > before || undefined;
  return timed(() => eventually(`${endpoint} counts its job`, counts, { within, every: 50 }));
}

/** Returns the milliseconds that `/status` and `/health` take to answer. */
export async function answerTimes(service: LocalService, endpoint: string, id: string) {
  return {
    status: await timed(() => readStatus(service, id, endpoint)),
    health: await timed(() => completed(service, endpoint)),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
