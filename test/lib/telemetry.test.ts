/** Tests the setting `otlp`, and what it grants to functions. */
import { describe, expect, it } from '@jest/globals';
import { InvalidSetting, scopeWith } from '../../lib/settings/settings.ts';
import { otlpOf } from '../../lib/telemetry/otlp-setting.ts';
import { accessesIn } from '../git/role-statements.ts';
import { declare, synthesizeWith } from './synthesis.ts';

const from = (otlp: unknown, more: object = {}) => otlpOf(scopeWith({ otlp, ...more }));

/** Returns what the setting adds: permissions of roles, and variables of functions. */
function addedBy(otlp: unknown) {
  const parts = (settings: object) => {
    const stacks = synthesizeWith(settings, [declare('echo')]);
    const { Platform } = stacks;
    if (!Platform) throw new Error('There is no stack Platform.');
    const variables = Object.values(Platform.template.findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) =>
        Object.entries<unknown>(Properties.Environment.Variables).map(
          ([name, value]) => `${String(Properties.Description).slice(0, 9)} ${name}=${JSON.stringify(value)}`,
        ),
    );
    const permissions = accessesIn(stacks).map(({ policy, action, resource, context }) =>
      `${policy} ${action} ${resource} ${Object.values(context).join()}`.trim(),
    );
    return { variables, permissions };
  };
  const [before, after] = [parts({}), parts({ otlp })];
  const only = (name: 'variables' | 'permissions') => after[name].filter((one) => !before[name].includes(one)).sort();
  return { variables: only('variables'), permissions: only('permissions') };
}

describe('the setting `otlp`', () => {
  it('is off by default, and accepts CloudWatch or an address', () => {
    expect([from(undefined), from(''), from('cloudwatch')]).toEqual([undefined, undefined, 'cloudwatch']);
    const receiver = { url: 'https://otlp.example.com/otlp', headersSecret: 'gpu-endpoints/otlp' };
    expect(from(receiver)).toEqual(receiver);
    expect(from({ url: 'http://localhost:4318' })).toEqual({ url: 'http://localhost:4318' });
  });

  it.each([
    ['otlp.example.com', /must be cloudwatch, or a mapping/],
    [{}, /otlp.url` must be an address/],
    [{ url: 'http://otlp.example.com' }, /otlp.url` must be an address that begins with https/],
    [{ url: 'https://user:secret@otlp.example.com' }, /without user/],
    [{ url: 'https://otlp.example.com?key=secret' }, /without user, query/],
    [{ url: 'https://otlp.example.com', headersSecret: 'authorization: Bearer x' }, /name of a secret/],
    [{ url: 'https://otlp.example.com', headers: {} }, /has no field headers/],
  ])('refuses %j', (value, message) => {
    expect(() => from(value)).toThrow(InvalidSetting);
    expect(() => from(value)).toThrow(message);
  });

  it('needs the history', () => {
    expect(() => from('cloudwatch', { historyDays: 0 })).toThrow(/needs the history/);
  });

  it('lets the sweeper sign for CloudWatch, and nothing else but read starts and keep calls of webhooks', () => {
    const { variables, permissions } = addedBy('cloudwatch');
    expect(permissions).toEqual([
      expect.stringMatching(/SweeperSweep\S+ cloudwatch:PutMetricData \*$/),
      expect.stringMatching(/SweeperSweep\S+ dynamodb:BatchGetItem \S+History\S+$/),
      expect.stringMatching(/SweeperSweep\S+ dynamodb:GetItem \S+Workers\S+ starts#\*$/),
      expect.stringMatching(/SweeperSweep\S+ xray:PutTraceSegments \*$/),
      expect.stringMatching(/WebhooksDeliver\S+ dynamodb:BatchWriteItem \S+History\S+$/),
    ]);
    expect(variables.join('\n')).toMatch(/OTLP_SIGNED="true"/);
    expect(variables.join('\n')).toMatch(/https:\/\/xray\..*\/v1\/traces/);
  });

  it('lets the sweeper read the secret of the headers, whose value is nowhere', () => {
    const { variables, permissions } = addedBy({
      url: 'https://otlp.example.com/',
      headersSecret: 'gpu-endpoints/otlp',
    });
    expect(permissions.filter((one) => !one.includes('dynamodb:'))).toEqual([
      expect.stringMatching(
        /secretsmanager:GetSecretValue arn:aws:secretsmanager:\S+:secret:gpu-endpoints\/otlp-\?{6}$/,
      ),
    ]);
    const ofSweeper = variables.filter((one) => one.startsWith('Every min'));
    expect(ofSweeper).toEqual([
      'Every min DELIVERY_HISTORY_DAYS="1"',
      'Every min OTLP_HEADERS_SECRET="gpu-endpoints/otlp"',
      'Every min OTLP_METRICS_URL="https://otlp.example.com/v1/metrics"',
      'Every min OTLP_TRACES_URL="https://otlp.example.com/v1/traces"',
    ]);
  });
});
