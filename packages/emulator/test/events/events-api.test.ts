/** Tests that events put on the local bus reach the targets of matching rules. */
import { expect, it } from '@jest/globals';
import { createEventBus } from '../../events/bus.ts';
import { createEventsApi } from '../../events/events-api.ts';
import { compilePattern } from '../../events/pattern.ts';

const caller = { roleArn: 'r', sessionArn: 's' };

it('delivers an event to the rule that matches it, records every event, and refuses others', async () => {
  const called: unknown[] = [];
  const invoke = async (_: string, event: object) => void called.push(event);
  const matches = compilePattern({ source: ['gpu-endpoints'], detail: { to: ['SPENT'] } }, 'test');
  const rule = { arn: 'rule', matches, targets: [{ functionArn: 'target' }] };
  const bus = createEventBus({ invoke } as never, [rule], () => undefined);
  const recorded: object[] = [];
  const api = createEventsApi(bus, (event) => recorded.push(event));
  const entry = (to: string, differences: object = {}) => ({
    ...{ Source: 'gpu-endpoints', DetailType: 'Budget', Detail: JSON.stringify({ to }), Time: 1 },
    ...differences,
  });
  const Entries = [
    entry('SPENT'),
    entry('WARNED'),
    entry('SPENT', { Detail: '[]' }),
    entry('SPENT', { Source: 'aws.ecs' }),
    entry('SPENT', { EventBusName: 'other' }),
  ];
  const answer = await api.call('PutEvents', { Entries }, caller);
  expect(answer).toMatchObject({
    FailedEntryCount: 3,
    Entries: [
      { EventId: expect.any(String) },
      { EventId: expect.any(String) },
      { ErrorCode: 'MalformedDetail' },
      { ErrorCode: 'NotAuthorizedForSourceException' },
      { ErrorCode: 'ResourceNotFoundException' },
    ],
  });
  expect(recorded).toHaveLength(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(called).toMatchObject([{ source: 'gpu-endpoints', 'detail-type': 'Budget', detail: { to: 'SPENT' } }]);
  await expect(api.call('PutRule', {}, caller)).rejects.toThrow('PutRule');
  await expect(api.call('PutEvents', { Entries: [] }, caller)).rejects.toThrow('does not accept');
});
