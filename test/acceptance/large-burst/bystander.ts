/** A caller of another endpoint, who runs one job after the other while the burst lasts. */
import { type Answer, call } from '../local-service.ts';
import { BYSTANDER } from './endpoints.ts';

export interface Bystander {
  /** One line for each reply that is not a 200 with the job's own result. */
  readonly problems: readonly string[];
  /** For each job, the number of replies that the burst had got when the job ended. */
  readonly ends: readonly number[];
}

const isRunning = ({ json }: Answer) => json.status === 'IN_QUEUE' || json.status === 'IN_PROGRESS';

/**
 * Runs jobs until the burst has ended.
 * @param progress returns the number of replies that the burst has got
 */
export async function runBystander(
  jobApiUrl: string,
  ApiKey: string,
  { progress, hasEnded }: { progress: () => number; hasEnded: () => boolean },
): Promise<Bystander> {
  const problems: string[] = [];
  const ends: number[] = [];
  const url = `${jobApiUrl}/${BYSTANDER}`;
  for (let n = 0; !hasEnded(); n += 1) {
    const body = JSON.stringify({ input: { n } });
    const accepted = await call({ ApiKey }, 'POST', `${url}/run`, { body });
    let ended: Answer;
    do ended = await call({ ApiKey }, 'GET', `${url}/status-sync/${accepted.json.id}?wait=60000`);
    while (isRunning(ended));
    const { status, output } = ended.json;
    if (status !== 'COMPLETED' || JSON.stringify(output) !== JSON.stringify({ n }))
      problems.push(`job ${n}: ${accepted.status} ${accepted.text}, then ${ended.status} ${ended.text}`);
    ends.push(progress());
  }
  return { problems, ends };
}
