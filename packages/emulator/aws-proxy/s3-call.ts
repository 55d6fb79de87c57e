/** Handles calls to S3. Bodies are streamed in both directions. */
import { createHash } from 'node:crypto';
import { type Backend, type Call, recordDescribed, relay } from './call.ts';
import type { StreamedAnswer } from './forward.ts';
import { describeS3, listingAccess, type S3Described } from './s3.ts';
import { signedContentHash, wrongContent } from './signature.ts';

const NOT_FOUND = 404;

/**
 * Yields the body of the request, and counts its bytes.
 * @throws AwsFault instead of the end of the body, if the body does not have the hash that its caller signed
 */
async function* counted({ incoming, findings }: Call): AsyncGenerator<Buffer> {
  const signed = signedContentHash(incoming.headers);
  const content = signed === undefined ? undefined : createHash('sha256');
  let bytes = 0;
  // The emulator stores an object as soon as it has all bytes, so the last chunk waits for the comparison.
  let last: Buffer | undefined;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    findings.requestBytes = bytes;
    content?.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (content && content.digest('hex') !== signed) throw wrongContent();
  if (last) yield last;
}

export function createS3Answering({
  emulators,
  verify,
  gate,
  forwarder,
  perform,
}: Backend): (call: Call) => Promise<void> {
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
    await verify(incoming, caller);
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
