/**
 * The kinds of workers, and the endpoints of each (`endpoints/`). A Python worker has only one kind of handler, so
 * Python has an endpoint for each.
 */
export type Handler = 'plain' | 'concurrent' | 'stream' | 'aggregate';

export const kinds = {
  python: { plain: 'python-sync', concurrent: 'python-async', stream: 'python-stream', aggregate: 'python-aggregate' },
  node: { plain: 'node', concurrent: 'node', stream: 'node', aggregate: 'node-aggregate' },
  http: { plain: 'http', concurrent: 'http', stream: 'http', aggregate: 'http' },
} as const satisfies Readonly<Record<string, Readonly<Record<Handler, string>>>>;

export type Kind = keyof typeof kinds;

/** Names of the kinds in test titles. */
export const titles: Readonly<Record<Kind, string>> = {
  python: "RunPod's Python SDK",
  node: 'the Node SDK',
  http: 'a plain HTTP server',
};
