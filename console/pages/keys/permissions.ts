/** Describes the operations and scopes that a key can have. */

interface Choice {
  readonly value: string;
  readonly description: string;
}

/** Choices with the values of the service's `keyOperations`. */
export const operations: readonly Choice[] = [
  { value: 'run', description: 'Submit a job' },
  { value: 'runsync', description: 'Submit a job and wait for its result' },
  { value: 'openai', description: "Call the worker's OpenAI routes" },
  { value: 'status', description: "Read a job's status and output" },
  { value: 'status-sync', description: "Wait for a job's result" },
  { value: 'stream', description: "Read a job's output while it runs" },
  { value: 'input', description: "Read a job's input" },
  { value: 'logs', description: "Read a job's logs" },
  { value: 'cancel', description: 'Cancel a job' },
  { value: 'retry', description: 'Retry a failed job' },
  { value: 'requests', description: 'List the jobs of an endpoint' },
  { value: 'find-job', description: 'Find a job by its id only' },
  { value: 'purge-queue', description: 'Remove all waiting jobs' },
  { value: 'webhooks', description: 'List the deliveries of webhooks' },
  { value: 'resend', description: 'Send a webhook again' },
  { value: 'health', description: 'Read the numbers of jobs and workers' },
  { value: 'endpoints', description: 'List the endpoints' },
  { value: 'releases', description: 'List the releases of an endpoint' },
  { value: 'workers', description: 'List the workers of an endpoint' },
];

/** Choices with the values of the service's `templateScopes`. */
export const scopes: readonly Choice[] = [
  { value: 'templates:read', description: 'List and read templates' },
  { value: 'templates:write', description: 'Create, change and delete templates of the owner' },
  { value: 'templates:secrets', description: 'Use any secret and registry login in a template' },
];
