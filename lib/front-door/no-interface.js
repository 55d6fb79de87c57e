// Runs in CloudFront for requests outside of the interfaces. lib/front-door/viewer-functions.ts appends constants.
// HEADERS: headers for caches and CORS. CODE: code of the error. CONSOLE: path of the console, or undefined.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  if (CONSOLE && event.request.uri === '/' && ['GET', 'HEAD'].includes(event.request.method))
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: CONSOLE } } };
  const method = event.request.method;
  const error = `No interface has an operation \`${method}\` at this path. The interfaces are below /v2 and /v1.`;
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: Object.assign({ 'content-type': { value: 'application/json' } }, HEADERS),
    body: { encoding: 'text', data: JSON.stringify({ error: error, code: CODE, requestId: event.context.requestId }) },
  };
}
