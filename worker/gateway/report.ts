/** `job-done`: the user's container tells how a job ended, or how far it is. */
import type { ServerResponse } from 'node:http';
import { InvalidRequest } from '../../core/errors.ts';
import type { Report } from '../../core/jobs/finish.ts';
import { parseJsonObject } from '../../core/json.ts';
import type { Agent } from '../agent/agent.ts';

type Told =
  /** @property replace - whether the worker wants another in its place */
  { readonly end: Report; readonly replace: boolean } | { readonly progress: string };

/** The protocol sends JSON under a form's content type, so the body alone is looked at. */
function toldIn(body: string): Told {
  const sent = parseJsonObject(body, ['output', 'error', 'status', 'stopPod']);
  const output = sent.text('output');
  if (sent.value('status') === 'IN_PROGRESS') return { progress: output ?? 'null' };
  const replace = sent.value('stopPod') === true;
  const error = sent.value('error');
  if (!error) return { end: { output }, replace };
  return { end: { output, error: typeof error === 'string' ? error : sent.text('error') }, replace };
}

/** What cannot be read is the worker's error: a 4xx would lose the job, because the protocol does not try again on it. */
function told(body: string): Told {
  try {
    return toldIn(body);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { end: { error: `The worker's report cannot be read. ${error.message}` }, replace: false };
  }
}

export async function report(agent: Agent, job: string, body: string, response: ServerResponse): Promise<void> {
  const what = told(body);
  if ('progress' in what) await agent.progress(job, what.progress);
  else {
    await agent.report(job, what.end);
    if (what.replace) agent.retire();
  }
  response.writeHead(200).end();
}
