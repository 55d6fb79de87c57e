/** Handles calls to S3. Bodies are streamed in both directions. */
import { type Backend, type Call, recordDescribed, relay } from './call.ts';
import type { StreamedAnswer } from './forward.ts';
import { describeS3, listingAccess, type S3Described } from './s3.ts';

const NOT_FOUND = 404;

/** Yields the body of the request, and counts its bytes. */
async function* counted({ incoming, findings }: Call): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    findings.requestBytes = bytes;
    yield chunk;
  }
}

export function createS3Answering({ emulators, gate, forwarder, perform }: Backend): (call: Call) => Promise<void> {
  /** Throws an access error for a missing object if the caller has no permission to list the bucket, as AWS does. */
  function hideAbsence({ caller }: Call, answer: StreamedAnswer, described: S3Described): void {
    if (answer.statusCode !== NOT_FOUND || !described.hidesAbsence) return;
    try {
      gate(caller, [listingAccess(described)]);
    } catch (refusal) {
      answer.body.resume();
      throw refusal;
    }
  }

  return async (call) => {
    const { incoming, caller, findings } = call;
    const { method = '', url = '', headers } = incoming;
    const described = describeS3({ method, url, headers });
    findings.operation = described.operation;
    recordDescribed(call, described);
    gate(caller, described.accesses);
    findings.requestBytes = 0;
    const answer = await perform(call, described, () => forwarder.stream(call, emulators.s3Url, counted(call)));
    hideAbsence(call, answer, described);
    await relay(call, answer);
  };
}
