import type { LocalError } from '../local-error.ts';

/** A service that answers. */
export interface Ready {
  /** What `outputs.json` says of the platform; a given assembly may have none. */
  readonly platform: {
    readonly JobApiUrl?: string;
    readonly ManagementApiUrl?: string;
    readonly ConsoleUrl: string;
    readonly ApiKey?: string;
  };
  /** Endpoint ids that have a service. */
  readonly endpoints: readonly string[];
  /** Each service with the number of its workers. */
  readonly workers: readonly string[];
  /** Resolves when the service cannot go on. */
  readonly died: Promise<LocalError>;
}

/** How many workers an endpoint has, for people. */
export function workersText(endpoint: string, count: number): string {
  const workers = `${endpoint}, ${count} ${count === 1 ? 'worker' : 'workers'} now`;
  return count === 0 ? `${workers}, started on demand` : workers;
}

/** Commands that submit a job and read it, to copy and paste. */
export function commandsToTry({ platform, endpoints }: Omit<Ready, 'died'>, key: string): string[] {
  const [endpoint] = endpoints;
  if (platform.JobApiUrl === undefined || endpoint === undefined) return [];
  const address = `${platform.JobApiUrl}/${endpoint}`;
  const header = `-H "Authorization: Bearer ${key}"`;
  return [
    `curl -X POST ${address}/run ${header} -d '{"input": {"text": "hello"}}'`,
    `curl ${address}/status/JOB_ID ${header}`,
  ];
}

/** What the user is told, the secret of the key included: it is theirs, and on this machine only. */
export function readyMessage(ready: Ready): string {
  const { JobApiUrl, ManagementApiUrl, ConsoleUrl, ApiKey } = ready.platform;
  const rows = [
    ['Job interface', JobApiUrl],
    ['Management', ManagementApiUrl],
    ['Console', ConsoleUrl],
    ['API key', ApiKey],
    ...ready.workers.map((text) => ['Workers', text] as const),
  ] as const;
  const table = rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(14)}  ${value}`]));
  const commands = commandsToTry(ready, ApiKey ?? '');
  const example =
    commands.length > 0 ? ['', 'Submit a job, then read it:', ...commands.map((line) => `  ${line}`)] : [];
  return ['', ...table, ...example, '', 'Ctrl-C stops everything.'].join('\n');
}
