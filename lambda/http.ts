/** The one middy chain of all HTTP handlers, and the one place where errors become responses. */
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RequestError } from '../core/errors.ts';

export interface HttpRequest {
  /** Path parameters; an absent one is empty. */
  readonly endpoint: string;
  readonly job: string;
  readonly body: string;
  /** What the authorizer found out of the key. */
  readonly owner: string;
  readonly endpoints: readonly string[];
}

const logger = new Logger();

const response = (statusCode: number, body: string): APIGatewayProxyResult => {
  return { statusCode, headers: { 'Content-Type': 'application/json' }, body };
};

/** The error shape of both interfaces. What is not the caller's to know is logged and told as `INTERNAL`. */
const errorResponses: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> = {
  onError: (request) => {
    const { requestId } = request.event.requestContext;
    const { error } = request;
    if (error instanceof RequestError) {
      return response(error.status, JSON.stringify({ error: error.message, code: error.code, requestId }));
    }
    logger.error('The request failed.', { error });
    const sentence = 'The service failed to handle the request; it is safe to try again.';
    return response(500, JSON.stringify({ error: sentence, code: 'INTERNAL', requestId }));
  },
};

function requestFrom(event: APIGatewayProxyEvent): HttpRequest {
  const body = event.body ?? '';
  const authorizer = event.requestContext.authorizer ?? {};
  return {
    endpoint: event.pathParameters?.endpoint ?? '',
    job: event.pathParameters?.job ?? '',
    body: event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
    owner: String(authorizer.owner),
    endpoints: String(authorizer.endpoints).split(','),
  };
}

/** A handler from a use-case: it answers 200 with the JSON text, or with the JSON of the object, that comes back. */
export function http(handle: (request: HttpRequest) => Promise<string | object>) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(errorResponses)
    .handler(async (event) => {
      const answer = await handle(requestFrom(event));
      return response(200, typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
}
