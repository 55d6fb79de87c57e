/** The use-cases of the ingress behind HTTP, as the functions have them. */
import type { JobRequest } from '../core/http/request.ts';
import { type Body, type Exchange, type HttpResponse, respondInPieces, respondInTime } from '../core/http/respond.ts';
import { handleRun } from '../core/http/run.ts';
import { handleRunSync } from '../core/http/runsync.ts';
import { handleStatusSync } from '../core/http/status-sync.ts';
import { handleStream } from '../core/http/stream.ts';
import type { directFrom, waitingOperations } from '../core/ingress.ts';
import type { World } from '../core/world.ts';

export type IngressOperation = (typeof waitingOperations)[number] | keyof typeof directFrom;

export type Handlers = Readonly<
  Record<IngressOperation, (request: JobRequest, exchange: Exchange) => Promise<HttpResponse<Body>>>
>;

export const createHandlers = (world: World): Handlers => ({
  run: (request, exchange) => respondInTime(exchange, (notes) => handleRun(world, request, notes)),
  runsync: (request, exchange) => respondInTime(exchange, (notes) => handleRunSync(world, request, notes)),
  'status-sync': (request, exchange) => respondInTime(exchange, (notes) => handleStatusSync(world, request, notes)),
  stream: (request, exchange) => respondInPieces(exchange, () => handleStream(world, request)),
});
