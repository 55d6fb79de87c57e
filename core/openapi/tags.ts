/** Groups of operations. Pages of the documents and modules of generated clients are sorted by them. */

/** Name and meaning of each group. */
const tags = {
  Jobs: 'Submit, read, cancel and retry jobs.',
  Queue: 'List and purge the jobs of an endpoint, and count its jobs and workers.',
  OpenAI: 'Call an endpoint with an OpenAI client.',
  Webhooks: 'List failed webhook deliveries and send them again.',
  Endpoints: 'List endpoints, their workers and their releases.',
  Templates: 'Create, read, change and delete templates.',
  Keys: 'Create, list and revoke API keys.',
  Description: 'Read this document and the permissions of the caller.',
} as const;

export type Tag = keyof typeof tags;

/** The group of the route that returns the document itself. */
export const documentTag = 'Description' satisfies Tag;

/** Returns the groups of these operations and of the document's own route, with their meanings. */
export function tagsOf(operations: readonly { readonly tag: Tag }[]): { name: Tag; description: string }[] {
  const used = new Set<Tag>([...operations.map(({ tag }) => tag), documentTag]);
  return (Object.keys(tags) as Tag[])
    .filter((name) => used.has(name))
    .map((name) => ({ name, description: tags[name] }));
}
