/** Groups of operations. Pages of the documents and modules of generated clients are sorted by them. */
import type { Operation } from '../routes.ts';

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

type Tag = keyof typeof tags;

/** The group of the route that returns the document itself. */
export const documentTag = 'Description' satisfies Tag;

export const tagOf: Readonly<Record<Operation, Tag>> = {
  run: 'Jobs',
  runsync: 'Jobs',
  status: 'Jobs',
  input: 'Jobs',
  'status-sync': 'Jobs',
  stream: 'Jobs',
  logs: 'Jobs',
  cancel: 'Jobs',
  retry: 'Jobs',
  'find-job': 'Jobs',
  'purge-queue': 'Queue',
  requests: 'Queue',
  health: 'Queue',
  openai: 'OpenAI',
  webhooks: 'Webhooks',
  resend: 'Webhooks',
  endpoints: 'Endpoints',
  releases: 'Endpoints',
  resume: 'Endpoints',
  workers: 'Endpoints',
  'create-template': 'Templates',
  'list-templates': 'Templates',
  'read-template': 'Templates',
  'update-template': 'Templates',
  'remove-template': 'Templates',
  'list-keys': 'Keys',
  'create-key': 'Keys',
  'revoke-key': 'Keys',
  session: 'Description',
};

/** Returns the groups of these operations and of the document's own route, with their meanings. */
export function tagsOf(operations: readonly Operation[]): { name: Tag; description: string }[] {
  const used = new Set<Tag>([...operations.map((operation) => tagOf[operation]), documentTag]);
  return (Object.keys(tags) as Tag[])
    .filter((name) => used.has(name))
    .map((name) => ({ name, description: tags[name] }));
}
