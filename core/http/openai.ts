import { answerCall, type OpenAiPorts, type OpenAiReply } from '../openai/answer.ts';
import type { ForwardedRequest } from './request.ts';
import type { OpenAiNotes } from './respond-openai.ts';

/** GET and POST /{endpoint}/openai/{path+}. The call may be refused until its job may be stored. */
export function handleOpenAi(
  ports: OpenAiPorts,
  { endpoint, owner, method, path, queryText, contentType, body, idempotencyKey, gone }: ForwardedRequest,
  notes: OpenAiNotes,
): Promise<OpenAiReply> {
  notes.isRefusable = true;
  const mayBeStored = (id: string) => {
    notes.jobId = id;
    notes.isRefusable = false;
  };
  const onRead = (isStream: boolean) => {
    notes.isStream = isStream;
  };
  const onSubmitted = () => body.release();
  const call = { method, path, queryText, contentType, body: body.bytes };
  return answerCall(ports, { endpoint, owner, idempotencyKey, gone, ...call }, { mayBeStored, onRead, onSubmitted });
}
