/** Tests how the calls of CloudFormation's handlers are recorded from the schemas that cfn-lint contains. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recordOf } from '../../../bin/execution-policy/handlers.ts';

let folder: string;
const schema = (file: string, typeName: string, handlers?: object) =>
  writeFileSync(join(folder, 'data/schemas/resources', file), JSON.stringify({ typeName, handlers }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-schemas-'));
  mkdirSync(join(folder, 'data/schemas/resources'), { recursive: true });
  writeFileSync(join(folder, 'data/schemas/version.json'), '{"schema_date":"2026-10-20T22:11:15Z"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the recorded calls', () => {
  it('are those of all handlers but `list`, once each, sorted, with the date of the schemas', () => {
    schema('2.json', 'AWS::SQS::Queue', {
      create: { permissions: ['sqs:TagQueue', 'sqs:CreateQueue'] },
      read: {},
      update: { permissions: ['sqs:TagQueue'] },
      list: { permissions: ['sqs:ListQueues'] },
    });
    schema('1.json', 'AWS::ECS::Cluster', { delete: { permissions: ['ecs:DeleteCluster'] } });
    schema('3.json', 'AWS::SNS::Topic', { create: { permissions: ['sns:CreateTopic'] } });
    const text = recordOf(folder, ['AWS::SQS::Queue', 'AWS::ECS::Cluster']);
    expect(text).toContain('as of 2026-10-20.');
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'AWS::ECS::Cluster: [ecs:DeleteCluster]',
      'AWS::SQS::Queue: [sqs:CreateQueue, sqs:TagQueue]',
      '',
    ]);
  });

  it('cannot be read for a type without handlers, or from a folder without schemas', () => {
    schema('1.json', 'AWS::ECS::Cluster');
    expect(() => recordOf(folder, ['AWS::ECS::Cluster'])).toThrow(
      'The schemas declare no handlers of AWS::ECS::Cluster.',
    );
    expect(() => recordOf(join(folder, 'data'), [])).toThrow(
      `${folder}/data contains no schemas. Run npm run synth && .ci/cfn-lint first.`,
    );
  });
});
