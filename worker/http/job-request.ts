/** The request that stands for a job. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { OpenAiCall } from '../../core/openai/call.ts';
import type { Server } from '../../core/workers/server.ts';
import type { Offer } from '../agent/taking.ts';
import type { ServerCall } from './server-call.ts';

type Job = Pick<Offer, 'id' | 'attempt' | 's3Config'>;

function headersOf({ id, attempt, s3Config }: Job, contentType?: string, body?: Uint8Array): OutgoingHttpHeaders {
  return {
    ...(contentType !== undefined && { 'Content-Type': contentType }),
    ...(body && { 'Content-Length': body.length }),
    'X-Job-Id': id,
    'X-Job-Attempt': attempt,
    // A header cannot hold any text.
    ...(s3Config !== undefined && { 'X-Job-S3-Config': Buffer.from(s3Config).toString('base64') }),
  };
}

/**
 * @param input of the job, in UTF-8
 * @param call what the input stands for, if it is a call; otherwise the input itself is posted
 */
export function requestFor(
  { port, path }: Pick<Server, 'port' | 'path'>,
  job: Job,
  input: Uint8Array,
  call?: OpenAiCall,
): Omit<ServerCall, 'signal'> {
  const { contentType, body, ...target } = call ?? { path, contentType: 'application/json', body: input };
  return { port, ...target, body, headers: headersOf(job, contentType, body) };
}
