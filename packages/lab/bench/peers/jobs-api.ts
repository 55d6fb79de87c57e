/** The HTTP interface of the peers that this folder contains: `POST /jobs` and `GET /jobs/ID`. */
import { accepted, type Client } from './http.ts';
import type { Outcome } from './peer.ts';

export async function submitJob(client: Client, ms: number): Promise<string> {
  return String(accepted(await client.post('/jobs', { ms })).id);
}

const outcomes: Readonly<Record<string, Outcome>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  Success: 'done',
  Failure: 'failed',
};

export async function outcomeOf(client: Client, id: string): Promise<Outcome> {
  const { status, json } = await client.get(`/jobs/${id}`);
  if (status !== 404) accepted({ status, json });
  return outcomes[String(json.status)] ?? 'waiting';
}
