/** The HTTP handlers of the ingress. They run the same use-cases as the functions. */

import type { Ports } from '../aws/ports.ts';
import { handleOpenAi, handleRun, handleRunSync, handleStatusSync, handleStream } from '../core/http/calls.ts';
import type { ForwardedRequest } from '../core/http/request.ts';
import { type Body, type Exchange, type HttpResponse, respondInPieces, respondInTime } from '../core/http/respond.ts';
import { respondOpenAi } from '../core/http/respond-openai.ts';
import type { minDirectBytes, waitingOperations } from '../core/operations/table.ts';
import { STREAM_COPIES, withinMemory } from './answers.ts';
import type { Memory } from './memory.ts';

export type IngressOperation = (typeof waitingOperations)[number] | keyof typeof minDirectBytes;

export type Handlers = Readonly<
  Record<IngressOperation, (request: ForwardedRequest, exchange: Exchange) => Promise<HttpResponse<Body>>>
>;

/**
 * Creates the handler of each operation that the ingress serves.
 * @param memory limits the memory of the outputs that calls load
 */
export const createHandlers = (ports: Ports, memory: Memory): Handlers => ({
  run: (request, exchange) => respondInTime(exchange, (state) => handleRun(ports, request, state)),
  runsync: (request, exchange) =>
    respondInTime(exchange, (state) => handleRunSync(withinMemory(ports, memory, request, state), request, state)),
  'status-sync': (request, exchange) =>
    respondInTime(exchange, (state) => handleStatusSync(withinMemory(ports, memory, request, state), request, state)),
  stream: (request, exchange) =>
    respondInPieces(exchange, () => handleStream(withinMemory(ports, memory, request, {}, STREAM_COPIES), request)),
  openai: (request, exchange) =>
    respondOpenAi(exchange, (state) =>
      handleOpenAi(withinMemory(ports, memory, request, state, STREAM_COPIES), request, state),
    ),
});
