/** The global `awslambda` of Lambda's Node runtime. */
import type { ResponseStream } from './response-stream.ts';

/** The runtime's mark of a handler that gets a stream to write to. */
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');

const METADATA_TYPE = 'application/vnd.awslambda.http-integration-response';

/** Separates the metadata of an HTTP response from its body. */
export const DELIMITER = Buffer.alloc(8);

export const isStreaming = (handler: object): boolean => (handler as Record<symbol, unknown>)[STREAMING] === 'response';

export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [STREAMING]: 'response' }),

  HttpResponseStream: {
    from(stream: ResponseStream, metadata: object): ResponseStream {
      stream.setContentType(METADATA_TYPE);
      stream.startWith(Buffer.concat([Buffer.from(JSON.stringify(metadata)), DELIMITER]));
      return stream;
    },
  },
};
