// Runs in CloudFront before each request to the interfaces. lib/front-door/viewer-functions.ts puts these behind it:
// VIEWER_HEADER, name of the header with the client's address, which replaces one that the client sends;
// DIRECT_FROM, bytes by path: bodies of at least so many, or of unknown length, go to the ingress.
import cf from 'cloudfront';

function lengthOf(headers) {
  return headers['content-length'] ? Number(headers['content-length'].value) : Number.POSITIVE_INFINITY;
}

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request;
  request.headers[VIEWER_HEADER] = { value: event.viewer.ip };
  const path = request.method === 'POST' && /^\/v2\/[^/]+\/(?:([a-z]+)\/?|(openai)\/.+)$/.exec(request.uri);
  const from = path ? DIRECT_FROM[path[1] || path[2]] : undefined;
  // An operation may have the name of something that every object has. A length that is no number is not below either.
  if (typeof from === 'number' && !(lengthOf(request.headers) < from)) cf.selectRequestOriginById('ingress');
  return request;
}
