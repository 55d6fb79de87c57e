/** Operations that the commands call, and how to get a key that may call them. */
import type { Session } from '../../core/authorizer/caller.ts';
import { keyOperations, type Operation, type TemplateScope } from '../../core/operations/routes.ts';

interface Needs {
  readonly operations: readonly Operation[];
  readonly scopes?: readonly TemplateScope[];
}

/**
 * What a key must be able to do for each command. Without `--endpoint`, a command finds the job with `find-job`, and
 * `jobs ls --group-by` the endpoints with `endpoints`.
 */
export const needs: Readonly<Record<string, Needs>> = {
  run: { operations: ['run'] },
  'run --wait': { operations: ['run', 'status-sync'] },
  'run --stream': { operations: ['run', 'status', 'stream'] },
  'jobs ls': { operations: ['requests'] },
  'jobs ls --since': { operations: ['list-jobs'] },
  'jobs ls --group-by': { operations: ['endpoints', 'failures'] },
  'jobs get': { operations: ['find-job', 'status'] },
  'jobs get --wait': { operations: ['find-job', 'status', 'status-sync'] },
  'jobs get --stream': { operations: ['find-job', 'status', 'stream'] },
  'jobs cancel': { operations: ['find-job', 'cancel'] },
  'jobs retry': { operations: ['find-job', 'retry'] },
  'jobs retry --wait': { operations: ['find-job', 'retry', 'status-sync'] },
  logs: { operations: ['endpoint-logs'] },
  'logs --worker': { operations: ['workers', 'endpoint-logs'] },
  'logs --start': { operations: ['ended-workers', 'endpoint-logs'] },
  'logs --job': { operations: ['logs'] },
  'endpoints ls': { operations: ['endpoints'] },
  'endpoints get': { operations: ['read-endpoint'] },
  'endpoints series': { operations: ['series'] },
  'cost actual': { operations: ['costs'] },
  'endpoints events': { operations: ['events'] },
  'endpoints purge': { operations: ['purge-queue'] },
  'workers ls': { operations: ['workers'] },
  'workers ls --all': { operations: ['workers', 'ended-workers'] },
  'alarms ls': { operations: ['list-alarms'] },
  'releases ls': { operations: ['releases'] },
  'releases rollback': { operations: ['read-endpoint', 'releases'], scopes: ['templates:read', 'templates:write'] },
  'templates ls, get': { operations: [], scopes: ['templates:read'] },
  'templates create, update, delete': { operations: [], scopes: ['templates:write'] },
  'webhooks ls': { operations: ['webhooks'] },
  'webhooks resend': { operations: ['resend'] },
};

/** Operations of a key that can run jobs, wait for them, read their logs and cancel them. */
export const clientOperations: readonly Operation[] = ['run', 'status-sync', 'status', 'find-job', 'logs', 'cancel'];

/** Returns the lines of a table of the commands with what a key needs for each. */
export function needsTable(): string {
  const width = Math.max(...Object.keys(needs).map((command) => command.length)) + 2;
  const lines = Object.entries(needs).map(([command, { operations, scopes = [] }]) => {
    const needed = [operations.join(','), scopes.length > 0 ? `--scopes ${scopes.join(',')}` : ''];
    return `  ${command.padEnd(width)}${needed.filter((text) => text !== '').join('  ')}`;
  });
  return lines.join('\n');
}

/** Every key has this operation. */
const OF_ALL = 'session';

const granted = ({ operations }: Pick<Session, 'operations'>) => operations.filter((name) => name !== OF_ALL);

/** Returns the operations of a key for a sentence. */
export function operationsText(session: Pick<Session, 'operations'>): string {
  const names = granted(session);
  if (keyOperations.every((operation) => names.includes(operation))) return 'all operations';
  return names.join(', ') || 'no operation';
}

/** Returns the endpoints of a key for a sentence. */
export const endpointsText = ({ endpoints }: Pick<Session, 'endpoints'>): string =>
  endpoints.includes('*') ? 'all endpoints' : endpoints.join(', ');

/** What a key lacks, by the option of `keys create` that grants it. */
type Missing = { readonly operations: string } | { readonly scopes: string } | { readonly endpoints: string };

/** Returns what the key lacks from the sentence of the service. */
export function missingIn(refusal: string): Missing | undefined {
  const { operations, scopes, endpoints } =
    /permit the operation (?<operations>[\w-]+)|have the scope (?<scopes>[\w:-]+)|calls to the endpoint (?<endpoints>[\w-]+)/.exec(
      refusal,
    )?.groups ?? {};
  if (operations !== undefined) return { operations };
  if (scopes !== undefined) return { scopes };
  return endpoints === undefined ? undefined : { endpoints };
}

/** Returns what the key may do, and the command that creates one that also may do what is missing. */
export function remedyOf(missing: Missing, session: Session): string {
  const may = `It may call ${operationsText(session)} of ${endpointsText(session)}.`;
  const operations = granted(session).filter((name) => keyOperations.some((operation) => operation === name));
  const grants = {
    operations: operations.length === keyOperations.length ? [] : operations,
    endpoints: session.endpoints.includes('*') ? [] : session.endpoints,
    scopes: [],
  };
  const options = Object.entries(grants).flatMap(([option, values]) => {
    const added = option in missing ? Object.values(missing) : [];
    const all = [...values, ...added];
    return all.length > 0 ? [`--${option} ${all.join(',')}`] : [];
  });
  return `${may} A key that may: npx gpu-endpoints keys create --name NAME ${options.join(' ')}`.trimEnd();
}
