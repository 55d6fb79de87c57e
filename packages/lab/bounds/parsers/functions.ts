/** Parsers of functions. Each invocation has a process of its own, so its time must grow linearly. */
import { changesFrom } from '../../../../aws/jobs/job-stream.ts';
import { createTokens } from '../../../../aws/users/tokens.ts';
import { deliveryEventFrom } from '../../../../aws/webhooks/event.ts';
import { workerEventFrom } from '../../../../core/fleet/event.ts';
import { factOf } from '../../../../core/fleet/fact-from-event.ts';
import { errorLine, fingerprintOf } from '../../../../core/history/fingerprint.ts';
import { queryOf } from '../../../../core/http/request.ts';
import { parseJsonObject } from '../../../../core/json/json.ts';
import { payloadLimits } from '../../../../core/limits.ts';
import { linesOfJob, writtenLines } from '../../../../core/logs/lines.ts';
import { logPositionIn } from '../../../../core/logs/pages.ts';
import { makeKey } from '../../../../core/management/keys.ts';
import { rollBack } from '../../../../core/management/rollback.ts';
import { minDirectBytes } from '../../../../core/operations/table.ts';
import { unpack } from '../../../../core/streams/pack.ts';
import { parseSubmission, submissionMembers } from '../../../../core/submission/request.ts';
import { templateLimits } from '../../../../core/templates/limits.ts';
import { parseCreation } from '../../../../core/templates/settings.ts';
import { between, ofText, type Parser, repeated } from './parser.ts';

const KB = 1_024;
const HEADERS = { size: 10 * KB, limit: 'headers of API Gateway' } as const;
const ITEM = { size: 400 * KB, limit: 'item of DynamoDB' } as const;
const RUN = { size: minDirectBytes.run, limit: 'minDirectBytes.run' } as const;
const TEMPLATE = { size: templateLimits.body, limit: 'templateLimits.body' } as const;
const EVENT = { size: 256 * KB, limit: 'event of EventBridge' } as const;
/** The largest invocation of a function, which contains the images before and after each change. */
const BATCH = { size: 6_291_456, limit: 'event of Lambda' } as const;
const PAGE = { size: 10 * KB * KB, limit: '10 pages of CloudWatch Logs' } as const;

/** Splits a size into items of the largest size. */
const countOf = (size: number, each: number) => Math.max(1, Math.round(size / each));

const template = (field: string, worst: string, make: (size: number) => string): Parser =>
  ofText(`template: ${field}`, 'core/templates/settings.ts', TEMPLATE, worst, make, parseCreation);

const nested = (size: number) => ({ L: Array.from({ length: countOf(size, 8) }, () => ({ L: [] })) });

const tokens = createTokens({ issuer: 'https://issuer.invalid', client: 'console' });

export const parsers: readonly Parser[] = [
  ofText(
    'body of /run',
    'core/json/json.ts',
    RUN,
    'many members',
    (size) => between('{', '"input":{},', '"a":1}', size),
    (sent) => parseSubmission(parseJsonObject(sent, submissionMembers)),
  ),
  ofText(
    'error of a worker',
    'core/history/fingerprint.ts',
    { size: payloadLimits.errorItem, limit: 'payloadLimits.errorItem' },
    'short lines',
    (size) => repeated('1\n', size),
    (text) => fingerprintOf('WORKER_ERROR', errorLine(text)),
  ),
  template('variables', 'names that are not allowed', (size) => between('{"env":{', '"":1,', '"a":1}}', size)),
  template('command', 'numbers', (size) => between('{"dockerStartCmd":[', '1,', '1]}', size)),
  template('ports', 'ports that are not allowed', (size) => between('{"ports":[', '"",', '""]}', size)),
  template('image', 'a registry of dots', (size) => between('{"imageName":"', 'a.', '/b"}', size)),
  template('path of the volume', 'many parts', (size) => between('{"volumeMountPath":"', '/a', '"}', size)),
  template('unknown fields', 'many fields', (size) => between('{', '"a":1,', '"b":1}', size)),
  {
    parses: 'request of a rollback',
    file: 'core/management/rollback.ts',
    worst: 'unknown fields',
    size: payloadLimits.field,
    limit: 'payloadLimits.field',
    prepare: async (size) => {
      const body = Buffer.from(between('{', '"a":1,', '"revision":0}', size));
      const by = { kind: 'key', id: 'a', name: 'a' } as const;
      const request = { owner: 'a', scopes: [], by, endpoint: 'a', body };
      // A request that is refused reaches no port.
      return () => rollBack({} as Parameters<typeof rollBack>[0], request);
    },
  },
  {
    parses: 'grant of a key',
    file: 'core/management/keys.ts',
    worst: 'endpoints that are not allowed',
    size: payloadLimits.field,
    limit: 'payloadLimits.field',
    prepare: async (size) => {
      const body = Buffer.from(between('{"endpoints":[', '"",', '""]}', size));
      const ports = { clock: { now: () => 0 } } as unknown as Parameters<typeof makeKey>[0];
      return () => makeKey(ports, body, Buffer.alloc(64));
    },
  },
  ofText(
    'query',
    'core/http/request.ts',
    HEADERS,
    'opening brackets',
    (size) => repeated('[', size),
    (sent) => queryOf(new URLSearchParams(sent)),
  ),
  ofText(
    'cursor',
    'core/requests/cursor.ts',
    HEADERS,
    'base64',
    (size) => repeated('AAAA', size),
    (sent) => logPositionIn('job', sent),
  ),
  ofText(
    'access token',
    'aws/users/tokens.ts',
    HEADERS,
    'a header of nested arrays',
    (size) => `${Buffer.from(repeated('[', size)).toString('base64url')}.e30.e30`,
    (sent) => tokens.verify(sent),
  ),
  {
    parses: 'changes of jobs',
    file: 'aws/jobs/job-stream.ts',
    worst: 'items of nested lists',
    ...BATCH,
    prepare: async (size) => {
      const image = { partition: { S: 'echo#1' }, id: { S: 'job' }, input: nested(ITEM.size) };
      const records = Array.from({ length: countOf(size, ITEM.size) }, () => ({ dynamodb: { NewImage: image } }));
      return () => changesFrom(records);
    },
  },
  {
    parses: 'event of a webhook delivery',
    file: 'aws/webhooks/event.ts',
    worst: 'an item of nested lists',
    size: 256 * KB,
    limit: 'event of Step Functions',
    prepare: async (size) => {
      const NewImage = { partition: { S: 'echo#1' }, id: { S: 'job' }, input: nested(size) };
      const event = { cause: { dynamodb: { NewImage } }, execution: 'e', retry: 0 };
      return () => deliveryEventFrom(event, 'call');
    },
  },
  {
    parses: 'event of the fleet',
    file: 'core/fleet/event.ts',
    worst: 'a reason of digits without end',
    ...EVENT,
    prepare: async (size) => {
      const updatedAt = '2026-01-01T00:00:00Z';
      const detail = {
        taskArn: 'arn:aws:ecs:eu-west-1:000000000000:task/c/t',
        group: 'service:echo',
        lastStatus: 'STOPPED',
        desiredStatus: 'STOPPED',
        stopCode: 'TaskFailedToStart',
        stoppedReason: repeated('0a', size),
        updatedAt,
      };
      const event = { 'detail-type': 'ECS Task State Change', time: updatedAt, resources: [], detail };
      return () => factOf(workerEventFrom(event) as Parameters<typeof factOf>[0], undefined);
    },
  },
  {
    parses: 'lines of a log',
    file: 'core/logs/lines.ts',
    worst: 'lines of empty arrays in JSON',
    ...PAGE,
    prepare: async (size) => {
      const message = between('{"a":[', '[],', '1]}', 256 * KB);
      const lines = Array.from({ length: countOf(size, 256 * KB) }, (_, time) => ({ time, message }));
      return () => linesOfJob('job', 'worker', writtenLines(lines));
    },
  },
  {
    parses: 'chunks of a stream',
    file: 'core/streams/pack.ts',
    worst: 'many chunks in one item',
    ...ITEM,
    prepare: async (size) => {
      const output = repeated('1', size);
      const sizes = Array.from({ length: 2 * countOf(size, 8) }, () => 1);
      return () => unpack(sizes.length, { output, sizes });
    },
  },
];
