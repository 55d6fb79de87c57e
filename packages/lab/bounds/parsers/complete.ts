/** Finds files that parse bytes and have no parser in the lists, so that a new parser is not forgotten. */
import { readFileSync } from 'node:fs';
import { productFiles } from '../patterns/find.ts';

/** Rooms that process bytes of clients, workers and AWS at run time. */
const ROOMS = ['aws', 'core', 'ingress', 'lambda', 'packages/console', 'worker'];

/** Functions that parse. A file that calls one of them parses. */
const PARSES =
  /\b(?:JSON\.parse|parseJsonObject|parseLargeObject|scanSlices|scanJson|unmarshall|decodeURIComponent|createParser|jsonFrom)\(|\bnew (?:URLSearchParams|MIMEType|MarkdownIt)\(|\.json\(\)|'base64(?:url)?'\)/;

/** Files that need no parser of their own, by the reason. */
export const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'is measured through the parsers of the same room that call it': [
    'aws/images.ts',
    'packages/console/job/chunks.ts',
    'packages/console/json/display.ts',
    'packages/console/json/scan.ts',
    'core/json/json.ts',
    'core/json/scan.ts',
    'core/openai/elements.ts',
    'core/openai/envelope.ts',
    'core/openai/event-text.ts',
    'core/openai/form.ts',
    'core/openai/parts.ts',
    'core/streams/chunk.ts',
    'core/streams/metrics.ts',
    'core/submission/submit.ts',
    'ingress/server.ts',
    'lambda/http.ts',
    'worker/gateway/server.ts',
    'worker/http/answer.ts',
    'worker/http/openai-answer.ts',
    'worker/http/request.ts',
  ],
  'parses what this service wrote, or answers of AWS': [
    'aws/console/bucket.ts',
    'aws/jobs/sealing.ts',
    'aws/ledger/arrivals.ts',
    'aws/rates/call-counts.ts',
    'aws/waiting-calls/slot-holders.ts',
    'aws/waiting-calls/leases.ts',
    'aws/waiting-calls/slots.ts',
    'aws/telemetry/headers.ts',
    'aws/webhooks/secrets.ts',
    'packages/console/session/again.ts',
    'packages/console/session/config.ts',
    'core/releases/compose.ts',
    'core/status/runsync.ts',
    'core/webhooks/signing.ts',
    'core/workers/ecs-answers.ts',
    'lambda/console/upload.ts',
    'lambda/endpoints/register.ts',
  ],
  'runs in the process of one worker, after the agent has checked the job': [
    'worker/sdk/agent-client.ts',
    'worker/sdk/runner.ts',
  ],
  'parses what the user of this browser typed or stored, or short answers and events of the service': [
    'packages/console/api/client.ts',
    'packages/console/api/error.ts',
    'packages/console/pages/endpoint/failed-deliveries.ts',
    'packages/console/pages/jobs/columns.tsx',
    'packages/console/pages/playground/page.tsx',
    'packages/console/pages/template-editor/draft.ts',
    'packages/console/playground/chat.ts',
    'packages/console/playground/draft.ts',
    'packages/console/playground/snippets.ts',
    'packages/console/playground/use-draft.ts',
    'packages/console/playground/use-run.ts',
    'packages/console/preferences.ts',
    'packages/console/shell/parameter.ts',
    'packages/console/shell/paths.ts',
  ],
};

/** Returns the files that parse. */
export const parsingFiles = (): string[] =>
  productFiles().filter(
    (file) =>
      ROOMS.some((room) => file.startsWith(`${room}/`)) &&
      !file.startsWith('packages/console/build/') &&
      PARSES.test(readFileSync(file, 'utf8')),
  );

/** Returns the problems: files without a parser, and listed files that do not parse. */
export function incomplete(measured: readonly string[], parsing: readonly string[] = parsingFiles()): string[] {
  const listed = Object.values(elsewhere).flat();
  return [
    ...parsing
      .filter((file) => !measured.includes(file) && !listed.includes(file))
      .map((file) => `${file} parses: add its worst input to packages/lab/bounds/parsers/.`),
    ...listed
      .filter((file) => !parsing.includes(file))
      .map((file) => `${file} does not parse: remove it from packages/lab/bounds/parsers/complete.ts.`),
  ];
}
