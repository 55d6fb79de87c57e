// Runs in CloudFront before each request to the interfaces. lib/front-door/viewer-functions.ts appends two constants.
// VIEWER_HEADER: name of the header with the client's address. It replaces a header that the client sends.
// MIN_DIRECT_BYTES: bytes by path. Bodies of at least this size, or of unknown length, are sent to the ingress.
import cf from 'cloudfront';

function lengthOf(headers) {
  return headers['content-length'] ? Number(headers['content-length'].value) : Number.POSITIVE_INFINITY;
}

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  const request = event.request;
  request.headers[VIEWER_HEADER] = { value: event.viewer.ip };
  const path = request.method === 'POST' && /^\/v2\/[^/]+\/(?:([a-z]+)\/?|(openai)\/.+)$/.exec(request.uri);
  const from = path ? MIN_DIRECT_BYTES[path[1] || path[2]] : undefined;
  // The type check excludes properties that every object has. `!(a < b)` also selects lengths that are not numbers.
  if (typeof from === 'number' && !(lengthOf(request.headers) < from)) cf.selectRequestOriginById('ingress');
  return request;
}
