import { describe, expect, it } from '@jest/globals';
import { expiryTimer, SECOND, SWEEP } from '../../../core/limits.ts';
import { permissionsOf, roleNamed } from '../permissions.ts';
import { machineOf } from '../state-machines.ts';
import { stackOf, synthesize } from '../synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');

/** Returns the permissions of the role on state machines and functions. */
const callsOf = (...parts: string[]) =>
  permissionsOf(template, roleNamed(template, ...parts)).flatMap(({ on, actions }) =>
    actions.filter((action) => /^(?:states|lambda):/.test(action)).map((action) => [action, on]),
  );

describe('a timer for jobs that expire', () => {
  const { type, definition } = machineOf(template, 'SweeperExpiry');

  it('waits until the time in its input, then calls the function with its jobs', () => {
    expect(definition.StartAt).toBe('Wait');
    expect(definition.States.Wait).toEqual({ Type: 'Wait', TimestampPath: '$.at', Next: 'Expire' });
    expect(definition.States.Expire).toMatchObject({
      Parameters: { Payload: { 'endpoint.$': '$.endpoint', 'jobs.$': '$.jobs' } },
      Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxAttempts: 2, BackoffRate: 1 }],
      End: true,
    });
  });

  it('is an Express execution, without standing cost, and ends within the limit of five minutes', () => {
    expect(type).toBe('EXPRESS');
    const { ahead, slot, margin, maxTime } = expiryTimer;
    expect(definition.TimeoutSeconds).toBeGreaterThanOrEqual((ahead + slot + margin + 3 * maxTime) / SECOND);
    expect(definition.TimeoutSeconds).toBeLessThan(300);
  });

  it('can wait longer than the time to the next sweep', () => {
    expect(expiryTimer.ahead).toBeGreaterThan(SWEEP);
  });

  it('calls only its function, and is started by the ledger and the sweeper', () => {
    expect(callsOf('SweeperExpiryRole')).toEqual([
      ['lambda:InvokeFunction', expect.stringMatching(/^{"Fn::GetAtt":\["SweeperExpire[0-9A-F]{8}","Arn"\]}$/)],
    ]);
    const start = ['states:StartExecution', expect.stringMatching(/^{"Ref":"SweeperExpiryMachine[0-9A-F]{8}"}$/)];
    expect(callsOf('LedgerRecordRole')).toEqual([start]);
    expect(callsOf('SweeperSweepRole')).toContainEqual(start);
    expect(callsOf('SweeperExpireRole')).toEqual([]);
  });

  it('needs no polled queue, because only streams have event source mappings', () => {
    const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    for (const { Properties } of mappings) expect(Properties.EventSourceArn.Ref).toMatch(/^Storage\w+Stream$/);
  });
});
