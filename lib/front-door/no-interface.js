// Answers in CloudFront what belongs to no interface. lib/front-door/viewer-functions.ts puts these behind it:
// HEADERS, for caches and web pages as clients; CODE, of the error; CONSOLE, path of the console, or undefined without one.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event) {
  if (CONSOLE && event.request.uri === '/' && ['GET', 'HEAD'].includes(event.request.method))
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: CONSOLE } } };
  const error = `No interface has an operation \`${event.request.method}\` at this path: they are below /v2 and /v1.`;
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: Object.assign({ 'content-type': { value: 'application/json' } }, HEADERS),
    body: { encoding: 'text', data: JSON.stringify({ error: error, code: CODE, requestId: event.context.requestId }) },
  };
}
