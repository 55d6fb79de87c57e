/** Builds the command that sends a first job to an endpoint. */

/** @param origin such as `https://d111111abcdef8.cloudfront.net` */
export function firstCall(origin: string, endpoint: string): string {
  const address = `${origin}/v2/${encodeURIComponent(endpoint)}`;
  return [
    `curl -X POST "${address}/runsync?wait=30000" \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"input": {"hello": "world"}}'`,
  ].join('\n');
}
