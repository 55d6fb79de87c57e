import type { FindPorts } from '../jobs/find.ts';
import type { JsonText } from '../json/json.ts';
import { answerCall, type OpenAiPorts, type OpenAiReply } from '../openai/answer.ts';
import { runSync } from '../status/runsync.ts';
import type { JobRecordPorts } from '../status/status.ts';
import { statusSync } from '../status/status-sync.ts';
import { type DrainPorts, stream } from '../streams/stream.ts';
import { run, type SubmitPorts } from '../submission/submit.ts';
import type { WaitSlotPorts } from '../waiting-calls/slots.ts';
import type { ForwardedRequest, JobRequest } from './request.ts';
import type { ResponseState } from './respond.ts';
import type { OpenAiResponseState } from './respond-openai.ts';

/**
 * POST /{endpoint}/run. The status is sent only with the complete answer, because the call can be refused until
 * then.
 */
export function handleRun(
  ports: SubmitPorts,
  { endpoint, owner, keyId, body, idempotencyKey, traceparent }: JobRequest,
  state: ResponseState,
): Promise<object> {
  state.isRefusable = true;
  return run(ports, { endpoint, owner, keyId, body: body.bytes, idempotencyKey, traceparent }, (id) => {
    state.jobId = id;
  });
}

/** POST /{endpoint}/runsync. The call can be refused until it stores its job, and releases its body after that. */
export function handleRunSync(
  ports: SubmitPorts & JobRecordPorts & WaitSlotPorts,
  { endpoint, owner, keyId, body, idempotencyKey, traceparent, query, gone }: JobRequest,
  state: ResponseState,
): Promise<JsonText> {
  state.isRefusable = true;
  const accepted = (id: string) => {
    state.jobId = id;
    state.isRefusable = false;
  };
  const request = { endpoint, owner, keyId, body: body.bytes, idempotencyKey, traceparent, wait: query.wait, gone };
  return runSync(ports, request, accepted, () => body.release());
}

/** GET and POST /{endpoint}/status-sync/{job}. The call can be refused until it has a slot. */
export function handleStatusSync(
  ports: FindPorts & JobRecordPorts & WaitSlotPorts,
  { endpoint, job, query, gone }: JobRequest,
  state: ResponseState,
): Promise<JsonText> {
  state.isRefusable = true;
  const admitted = () => {
    state.isRefusable = false;
  };
  return statusSync(ports, { endpoint, id: job, wait: query.wait, gone }, admitted);
}

/**
 * User agents of RunPod's clients. The JavaScript client always sends its user agent, the Python client only in the
 * sessions that its `http_client` creates for `AsyncioEndpoint`. Python's blocking `Endpoint` sends the user agent
 * of the library `requests`, as other programs do.
 */
const RUNPOD_CLIENT = /^RunPod-(?:JS|Python)-SDK\//;

/** GET and POST /{endpoint}/stream/{job} */
export const handleStream = (
  ports: DrainPorts & WaitSlotPorts,
  { endpoint, job, query, userAgent = '', gone }: JobRequest,
): ReturnType<typeof stream> => {
  const { from, wait } = query;
  return stream(ports, { endpoint, id: job, from, wait, inEnvelope: RUNPOD_CLIENT.test(userAgent), gone });
};

/** GET and POST /{endpoint}/openai/{path+}. The call can be refused until it stores its job. */
export function handleOpenAi(
  ports: OpenAiPorts,
  {
    endpoint,
    owner,
    keyId,
    method,
    path,
    queryText,
    contentType,
    body,
    idempotencyKey,
    traceparent,
    gone,
  }: ForwardedRequest,
  state: OpenAiResponseState,
): Promise<OpenAiReply> {
  state.isRefusable = true;
  const mayBeStored = (id: string) => {
    state.jobId = id;
    state.isRefusable = false;
  };
  const onParsed = (isStream: boolean) => {
    state.isStream = isStream;
  };
  const onSubmitted = () => body.release();
  const call = { method, path, queryText, contentType, body: body.bytes };
  const request = { endpoint, owner, keyId, idempotencyKey, traceparent, gone, ...call };
  return answerCall(ports, request, { mayBeStored, onParsed, onSubmitted });
}
