import { describe, expect, it } from '@jest/globals';
import { MISSING_KEY } from '../../../core/authorizer/authorize.ts';
import { INVALID_PATH } from '../../../core/http/ingress.ts';
import { limitSentence } from '../../../core/rates/throttle.ts';
import { interfacesOf, resourcesIn, synthesize } from '../synthesis.ts';

interface GatewayResponse {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters?: Record<string, string>;
  readonly ResponseTemplates: Record<string, string>;
}

const responses = resourcesIn(interfacesOf(synthesize()), 'AWS::ApiGateway::GatewayResponse').map(
  ({ Properties }) => Properties as GatewayResponse,
);

/** Values of API Gateway's variables. Messages are JSON strings with their quotes. */
const variables: Readonly<Record<string, string>> = {
  '$context.requestId': 'r-1',
  '$context.httpMethod': 'PUT',
  '$context.authorizer.error': '"The API key does not exist in this deployment."',
  '$context.authorizer.code': 'UNAUTHORIZED',
  '$context.authorizer.limit': limitSentence('echo', 'run'),
  '$context.error.responseType': 'UNSUPPORTED_MEDIA_TYPE',
  '$context.error.messageString': '"Invalid request body"',
};

function answerOf({ StatusCode, ResponseTemplates }: GatewayResponse) {
  const body = String(ResponseTemplates['application/json']).replace(
    /\$context(?:\.[a-zA-Z]+)+/g,
    (variable) => variables[variable] ?? `unknown variable ${variable}`,
  );
  return { status: StatusCode, body: JSON.parse(body) as Record<string, string> };
}

const answersTo = (type: string) => responses.filter(({ ResponseType }) => ResponseType === type).map(answerOf);

describe('a response that the gateway itself returns', () => {
  it.each([
    ['UNAUTHORIZED', '401', 'UNAUTHORIZED'],
    ['ACCESS_DENIED', '401', 'UNAUTHORIZED'],
    ['INVALID_API_KEY', '503', 'NOT_READY'],
    ['EXPIRED_TOKEN', '401', 'UNAUTHORIZED'],
    ['INVALID_SIGNATURE', '401', 'UNAUTHORIZED'],
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'ROUTE_NOT_FOUND'],
    ['RESOURCE_NOT_FOUND', '404', 'ROUTE_NOT_FOUND'],
    ['BAD_REQUEST_BODY', '400', 'INVALID_REQUEST'],
    ['BAD_REQUEST_PARAMETERS', '400', 'INVALID_REQUEST'],
    ['REQUEST_TOO_LARGE', '413', 'PAYLOAD_TOO_LARGE'],
    ['THROTTLED', '429', 'TOO_MANY_REQUESTS'],
    ['QUOTA_EXCEEDED', '429', 'TOO_MANY_REQUESTS'],
    ['AUTHORIZER_FAILURE', '429', 'TOO_MANY_REQUESTS'],
    ['AUTHORIZER_CONFIGURATION_ERROR', '429', 'TOO_MANY_REQUESTS'],
    ['API_CONFIGURATION_ERROR', '500', 'INTERNAL'],
    ['INTEGRATION_FAILURE', '504', 'GATEWAY_FAILURE'],
    ['INTEGRATION_TIMEOUT', '504', 'GATEWAY_TIMEOUT'],
    ['DEFAULT_5XX', '500', 'INTERNAL'],
  ])('for %s has status %s and code %s on both interfaces', (type, status, code) => {
    const answer = { status, body: { error: expect.any(String), code, requestId: 'r-1' } };
    expect(answersTo(type)).toEqual([answer, answer]);
  });

  it('has the status that the gateway chose for every other 4xx, and names its type', () => {
    for (const { status, body } of answersTo('DEFAULT_4XX')) {
      expect(status).toBeUndefined();
      const error =
        'API Gateway refused the request (UNSUPPORTED_MEDIA_TYPE): check its method and its `Content-Type`, and that its path has no empty segment (`//`).';
      expect(body).toEqual({ error, code: 'REQUEST_REFUSED', requestId: 'r-1' });
    }
  });

  it('explains what is wrong with a path, instead of the words of API Gateway', () => {
    for (const { body } of answersTo('BAD_REQUEST_PARAMETERS')) expect(body.error).toBe(INVALID_PATH);
  });

  it('has the sentence of the ingress for a missing key, so that the sentence does not depend on the body', () => {
    for (const { body } of answersTo('UNAUTHORIZED')) expect(body.error).toBe(MISSING_KEY);
  });

  it.each([
    ['must not be cached', 'Cache-Control', 'private, no-store'],
    ['has a media type that browsers do not guess', 'X-Content-Type-Options', 'nosniff'],
  ])('%s', (_, name, value) => {
    const said = responses.map(({ ResponseParameters = {} }) => ResponseParameters[`gatewayresponse.header.${name}`]);
    expect(new Set(said)).toEqual(new Set([`'${value}'`]));
  });

  it('contains the reason of the authorizer if access is denied', () => {
    expect(answersTo('ACCESS_DENIED')[0]?.body.error).toBe('The API key does not exist in this deployment.');
  });

  it('answers a throttled request with the sentence of the authorizer', () => {
    expect(answersTo('THROTTLED')[0]?.body.error).toBe(
      'Too many requests. Endpoint `echo` allows 1000 `run` requests per 10 seconds. Try again after the number of seconds in `Retry-After`.',
    );
  });

  it('explains how to send a key if the header is missing', () => {
    expect(answersTo('UNAUTHORIZED')[0]?.body.error).toMatch(/header is missing.*`Authorization: Bearer <API key>`/);
  });

  it('names the method if the path has no operation for it', () => {
    expect(answersTo('MISSING_AUTHENTICATION_TOKEN')[0]?.body.error).toContain('no operation `PUT`');
  });

  it('has the Retry-After of the authorizer for rate limits, 1 s if the authorizer fails, and 10 s if a key is not ready', () => {
    const retryAfter = responses.flatMap(({ ResponseType, ResponseParameters = {} }) =>
      Object.entries(ResponseParameters)
        .filter(([name]) => !/\.(?:Cache-Control|X-Content-Type-Options)$/.test(name))
        .map(([name, value]) => [ResponseType, name, value]),
    );
    const fromAuthorizer = ['gatewayresponse.header.Retry-After', 'context.authorizer.retryAfter'];
    const fixed = ['gatewayresponse.header.Retry-After', "'1'"];
    const each = [
      ['INVALID_API_KEY', 'gatewayresponse.header.Retry-After', "'10'"],
      ['THROTTLED', ...fromAuthorizer],
      ['QUOTA_EXCEEDED', ...fromAuthorizer],
      ['AUTHORIZER_FAILURE', ...fixed],
      ['AUTHORIZER_CONFIGURATION_ERROR', ...fixed],
    ];
    expect(retryAfter).toEqual([...each, ...each]);
  });
});
