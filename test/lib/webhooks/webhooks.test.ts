import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { markerItem } from '../../../aws/jobs/marker-item.ts';
import type { Job } from '../../../core/jobs/job.ts';
import { compilePattern } from '../../../packages/emulator/events/pattern.ts';
import { jobs } from '../../jobs/job-in-each-status.ts';
import { machineOf } from '../state-machines.ts';
import { stackOf, synthesize } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');

const onlyOne = (type: string) => {
  const [found, ...others] = Object.values(template.findResources(type));
  expect(others).toEqual([]);
  return found?.Properties;
};

describe('the state machine of deliveries', () => {
  const { type, definition } = machineOf(template, 'WebhooksDelivery');

  it('makes at most three attempts, 10 s apart', () => {
    const { Post, ...others } = definition.States;
    expect(Post?.Retry).toEqual([{ ErrorEquals: ['States.ALL'], IntervalSeconds: 10, MaxAttempts: 2, BackoffRate: 1 }]);
    expect(Post?.Catch).toHaveLength(1);
    expect(Object.values(others).map((state) => (state as { Type: string }).Type)).toEqual(['Succeed', 'Fail']);
  });

  it('is an Express execution, and ends within the limit of five minutes', () => {
    expect(type).toBe('EXPRESS');
    const [deliver] = Object.values(template.findResources('AWS::Lambda::Function')).filter(({ Properties }) =>
      Properties.Description.startsWith('Calls the webhook'),
    );
    expect(definition.TimeoutSeconds).toBeGreaterThan(3 * deliver?.Properties.Timeout + 2 * 10);
    expect(definition.TimeoutSeconds).toBeLessThan(300);
  });
});

it('counts ended deliveries and set-aside items in the namespace of the alarms', () => {
  const counting = Object.values(template.findResources('AWS::Lambda::Function')).filter(
    ({ Properties }) => Properties.Environment.Variables.POWERTOOLS_METRICS_NAMESPACE === 'gpu-endpoints/Platform',
  );
  const ends = counting.map(({ Properties }) => Properties.Description.split(' ', 2).join(' '));
  expect(ends.sort()).toEqual(['Calls the', 'Every minute:', 'Jobs stream:']);
});

describe('the pipe', () => {
  const { Filters } = onlyOne('AWS::Pipes::Pipe').SourceParameters.FilterCriteria;
  const filters = Filters.map(({ Pattern }: { Pattern: string }) => compilePattern(JSON.parse(Pattern), 'the pipe'));
  const matches = (before: Job | undefined, after: Job | undefined) => {
    const image = (job: Job | undefined) => job && marshall(job, { removeUndefinedValues: true });
    const eventName = before && after ? 'MODIFY' : before ? 'REMOVE' : 'INSERT';
    const event = { eventName, dynamodb: { OldImage: image(before), NewImage: image(after) } };
    return filters.some((filter: (event: object) => boolean) => filter(event));
  };
  const withWebhook = (job: Job): Job => ({ ...job, webhook: { inline: 'https://receiver.example' } });
  const { IN_QUEUE, IN_PROGRESS, COMPLETED, FAILED, CANCELLED, TIMED_OUT } = jobs;

  it('passes the end of a job with a webhook, wherever the URL is stored', () => {
    for (const ended of [COMPLETED, FAILED, CANCELLED, TIMED_OUT]) {
      expect(matches(withWebhook(IN_PROGRESS), withWebhook(ended))).toBe(true);
      expect(matches(withWebhook(IN_QUEUE), withWebhook(ended))).toBe(true);
      expect(matches(withWebhook(IN_PROGRESS), { ...ended, webhook: { stored: 'webhook' } })).toBe(true);
    }
  });

  it('drops all other changes, jobs without a webhook, and purged jobs', () => {
    expect(matches(IN_PROGRESS, COMPLETED)).toBe(false);
    expect(matches(undefined, withWebhook(IN_QUEUE))).toBe(false);
    expect(matches(withWebhook(IN_QUEUE), withWebhook(IN_PROGRESS))).toBe(false);
    expect(matches(withWebhook(IN_PROGRESS), withWebhook(IN_PROGRESS))).toBe(false);
    // The result expires sooner, the job is retried, and the job is removed.
    expect(matches(withWebhook(COMPLETED), withWebhook(COMPLETED))).toBe(false);
    expect(matches(withWebhook(FAILED), withWebhook(IN_QUEUE))).toBe(false);
    expect(matches(withWebhook(FAILED), undefined)).toBe(false);
    expect(matches(withWebhook(IN_QUEUE), withWebhook({ ...CANCELLED, code: 'PURGED' } as Job))).toBe(false);
  });

  it('drops the marker of a purge, whether it is the first one or replaces another', () => {
    const image = marshall(markerItem({ partition: 'echo#1', generation: 2 }, 1));
    for (const [eventName, OldImage] of [
      ['INSERT', undefined],
      ['MODIFY', image],
    ] as const)
      expect(
        filters.some((filter: (event: object) => boolean) =>
          filter({ eventName, dynamodb: { OldImage, NewImage: image } }),
        ),
      ).toBe(false);
  });

  it('shares the stream only with the ledger', () => {
    const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    const streams = mappings.map(({ Properties }) => JSON.stringify(Properties.EventSourceArn));
    const its = JSON.stringify(onlyOne('AWS::Pipes::Pipe').Source);
    expect(streams.filter((stream) => stream === its)).toHaveLength(1);
  });
});
