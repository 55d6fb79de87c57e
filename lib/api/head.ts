/**
 * Answers `HEAD` with 405 at every path that has `GET`, with the methods of the path in `Allow`. API Gateway creates
 * the response, so only the authorizer function runs.
 */
import {
  ContentHandling,
  type IResource,
  type Method,
  type MethodOptions,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { baseHeaders, corsHeaders } from '../../core/http/respond.ts';
import { methodsByPath, type Route, type RouteLimit } from '../../core/operations/routes.ts';

export interface HeadProps {
  readonly routes: readonly Route[];
  /** Must be the same as for `GET`: a caller that gets 401 for `GET` also gets 401 for `HEAD`. */
  readonly access: Pick<MethodOptions, 'authorizer' | 'authorizationType' | 'apiKeyRequired'>;
  /** Origin allowed by CORS. If it is set, `Allow` includes `OPTIONS`. */
  readonly corsOrigin: string | undefined;
}

function addHead(resource: IResource, allow: string, { access, corsOrigin }: HeadProps): Method {
  const headers = {
    Allow: allow,
    'Content-Type': 'application/json',
    ...baseHeaders,
    ...(corsOrigin && corsHeaders(corsOrigin)),
  };
  const mapped = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const,
  );
  const integration = new MockIntegration({
    requestTemplates: { 'application/json': '{"statusCode":405}' },
    // A request with another Content-Type would be passed through without a status, and the response would be a 500.
    passthroughBehavior: PassthroughBehavior.NEVER,
    // Templates apply to text, and an API can have binary media types.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    integrationResponses: [{ statusCode: '405', responseParameters: Object.fromEntries(mapped) }],
  });
  const responseParameters = Object.fromEntries(mapped.map(([parameter]) => [parameter, true]));
  return resource.addMethod('HEAD', integration, {
    ...access,
    methodResponses: [{ statusCode: '405', responseParameters }],
  });
}

/**
 * Adds `HEAD` to each path of the routes that has `GET`.
 * @returns the methods, each with the limit of its `GET`
 */
export function addHeads(root: IResource, props: HeadProps): { readonly method: Method; readonly limit: RouteLimit }[] {
  const methodsOf = methodsByPath(props.routes);
  const preflight = props.corsOrigin === undefined ? [] : ['OPTIONS'];
  return props.routes
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ path, limit }) => {
      const allow = [...(methodsOf.get(path) ?? []), ...preflight].join(', ');
      return { method: addHead(root.resourceForPath(path), allow, props), limit };
    });
}
