/** Tests alarms on a clock that the test advances: from a line of a log to the state and the message. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../cloudwatch/metrics.ts';
import { LocalError } from '../../local-error.ts';
import { BEGIN, createSmallCloudwatch, failures, type SmallCloudwatch } from './small-cloudwatch.ts';

let small: SmallCloudwatch;

beforeEach(() => {
  small = createSmallCloudwatch();
});

/** Returns a line in the embedded metric format. */
const line = (values: object, dimensions: readonly string[][] = [[]], more: object = {}) =>
  JSON.stringify({
    _aws: {
      Timestamp: small.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'notes',
          Dimensions: dimensions,
          Metrics: Object.keys(values).map((Name) => ({ Name, Unit: 'Count' })),
        },
      ],
    },
    ...values,
    ...more,
  });

/** Adds a value in each minute; `-` is a minute without data, `X` one that breaches, and `0` one that does not. */
function minutes(text: string): void {
  for (const letter of text) {
    if (letter !== '-') small.metrics.put('notes', {}, { failures: letter === 'X' ? 1 : 0 });
    small.pass();
  }
}

describe('an alarm', () => {
  it('goes off after a line of a log, says why, and is over', async () => {
    await small.deploy({
      Failing: { ...failures, AlarmDescription: 'Notes fail.', TreatMissingData: 'notBreaching' },
    });
    expect(small.alarms.list()).toMatchObject([
      { state: 'INSUFFICIENT_DATA', reason: 'Unchecked: Initial alarm creation' },
    ]);
    small.pass();
    expect(small.alarms.list()).toMatchObject([
      {
        state: 'OK',
        reason:
          'Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was treated as [NonBreaching].',
      },
    ]);
    small.print(line({ failures: 2 }));
    small.pass();
    const reason =
      'Threshold Crossed: 1 out of the last 1 datapoints [2.0 (01/01/30 00:01:00)] was greater than the threshold (0.0) (minimum 1 datapoint for OK -> ALARM transition).';
    expect(small.alarms.list()).toMatchObject([{ state: 'ALARM', reason, changedAt: BEGIN + 2 * MINUTE }]);
    small.print(line({ failures: 0 }));
    small.pass();
    expect(small.state('Failing')).toBe('OK');
    expect(small.notices).toEqual([
      `Alarm Failing goes off: Notes fail. (${reason})`,
      'Alarm Failing is over: Notes fail. (Threshold Crossed: 1 out of the last 1 datapoints [0.0 (01/01/30 00:02:00)] was not greater than the threshold (0.0) (minimum 1 datapoint for ALARM -> OK transition).)',
    ]);
  });

  it('watches only its dimensions, and values can be a list', async () => {
    const Dimensions = [{ Name: 'topic', Value: 'cats' }];
    const slow = { ...failures, MetricName: 'delay', Threshold: 9 };
    await small.deploy({
      All: { ...failures, Threshold: 2 },
      Cats: { ...failures, Dimensions },
      Slow: { ...slow, Statistic: undefined, ExtendedStatistic: 'p50' },
      VerySlow: { ...slow, Statistic: 'Maximum' },
    });
    small.print(line({ failures: 1 }, [[], ['topic']], { topic: 'dogs' }));
    small.print(line({ failures: 1 }, [[], ['topic'], ['none']], { topic: 'dogs' }));
    small.print(line({ delay: [1, 2, 3, 40] }));
    small.print('{"_aws": broken');
    small.print(JSON.stringify({ _aws: { Timestamp: 'now' }, failures: 100 }));
    small.pass();
    const states = ['All', 'Cats', 'Slow', 'VerySlow'].map(small.state);
    expect(states).toEqual(['OK', 'INSUFFICIENT_DATA', 'OK', 'ALARM']);
  });

  it.each([
    // The examples of CloudWatch's guide for 3 of 3 data points.
    ['3 of 3', '0-X-X', ['OK', 'OK', 'OK', 'OK']],
    ['3 of 3', '----0', ['OK', 'OK', 'OK', 'OK']],
    ['3 of 3', '-----', ['INSUFFICIENT_DATA', 'retained', 'ALARM', 'OK']],
    ['3 of 3', '0XX-X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['3 of 3', '--X--', ['ALARM', 'retained', 'ALARM', 'OK']],
    // The examples for 2 of 3.
    ['2 of 3', '0-X-X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['2 of 3', '00X0X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['2 of 3', '0-X--', ['OK', 'OK', 'ALARM', 'OK']],
    ['2 of 3', '----0', ['OK', 'OK', 'ALARM', 'OK']],
    ['2 of 3', '---X-', ['ALARM', 'retained', 'ALARM', 'OK']],
  ])('of %s data points treats missing data as CloudWatch does: %s', async (which, text, expected) => {
    const rule = { ...failures, EvaluationPeriods: 3, DatapointsToAlarm: Number(which[0]) };
    const treatments = ['missing', 'ignore', 'breaching', 'notBreaching'];
    await small.deploy(
      Object.fromEntries(treatments.map((TreatMissingData) => [TreatMissingData, { ...rule, TreatMissingData }])),
    );
    // Only the last evaluation counts: the data points before it are added at once.
    for (const [n, letter] of [...text].entries())
      if (letter !== '-')
        small.metrics.put('notes', {}, { failures: letter === 'X' ? 1 : 0 }, BEGIN + (n - 5) * MINUTE);
    small.alarms.evaluate(0);
    const states = treatments.map(small.state);
    expect(states).toEqual(expected.map((state) => (state === 'retained' ? 'INSUFFICIENT_DATA' : state)));
  });

  it('is quiet about data that is missing because nothing was measured yet', async () => {
    await small.deploy({ Silent: { ...failures, EvaluationPeriods: 3, TreatMissingData: 'breaching' } });
    minutes('--');
    expect(small.state('Silent')).toBe('INSUFFICIENT_DATA');
    minutes('-');
    expect(small.state('Silent')).toBe('ALARM');
    minutes('0');
    expect(small.state('Silent')).toBe('OK');
  });

  it('of a long period is evaluated each minute over the time until then', async () => {
    await small.deploy({ Failing: { ...failures, Period: 300, TreatMissingData: 'notBreaching' } });
    minutes('X');
    expect(small.state('Failing')).toBe('ALARM');
    minutes('----');
    expect(small.state('Failing')).toBe('ALARM');
    minutes('-');
    expect(small.state('Failing')).toBe('OK');
  });
});

describe('an alarm of an expression', () => {
  const stat = (MetricName: string, Stat: string) => ({
    Metric: { Namespace: 'notes', MetricName, Dimensions: [{ Name: 'service', Value: 'all' }] },
    Period: 60,
    Stat,
  });
  const { Threshold, ComparisonOperator, EvaluationPeriods } = failures;
  const rule = { Threshold, ComparisonOperator, EvaluationPeriods, TreatMissingData: 'notBreaching' };
  const rate = (Expression: string) => ({
    ...rule,
    Threshold: 10,
    Metrics: [
      { Id: 'expr_1', Expression, Label: 'Failed, in percent', ReturnData: true },
      { Id: 'ended', MetricStat: stat('failures', 'SampleCount'), ReturnData: false },
      { Id: 'rate', MetricStat: stat('failures', 'Average'), ReturnData: false },
    ],
  });

  it('compares the result, and has no data where a metric of it has none', async () => {
    await small.deploy({ Rate: rate('IF(ended >= 10, 100 * rate, 0)') });
    small.pass();
    expect(small.state('Rate')).toBe('OK');
    small.print(line({ failures: [1, 1, 1] }, [['service']], { service: 'all' }));
    small.pass();
    expect(small.state('Rate')).toBe('OK');
    small.print(line({ failures: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0] }, [['service']], { service: 'all' }));
    small.pass();
    expect(small.alarms.list()).toMatchObject([{ state: 'ALARM', reason: expect.stringContaining('[20.0 (') }]);
  });

  it.each([
    ['RATE(ended)', 'the function RATE is not supported here'],
    ['ended ^ 2', 'the operator ^ is not supported here'],
    ['IF(ended > 1, other, 0)', 'there is no query other'],
    ['expr_1 + 1', 'the expression expr_1 uses itself'],
    ['SUM(ended)', 'SUM takes a list of metrics here'],
    ['IF(ended)', 'IF does not take 1 operands'],
    ["ended + 'a'", "'a' is not a number"],
    ['ended[0]', 'a syntax that metric math does not have'],
    ['(ended', 'Unclosed ( at character 6'],
    ['[ended, rate]', 'a list of metrics cannot be used as a number here'],
  ])('prevents the start with an expression that is not supported: %s', async (expression, message) => {
    const failed = small.deploy({ Rate: rate(expression) });
    await expect(failed).rejects.toThrow(LocalError);
    await expect(failed).rejects.toThrow(message);
  });

  it('needs one period and one result', async () => {
    const [result, ended] = rate('ended').Metrics;
    const other = { Id: 'other', MetricStat: { ...stat('failures', 'Sum'), Period: 120 }, ReturnData: false };
    await expect(small.deploy({ Rate: { ...rule, Metrics: [result, ended, other] } })).rejects.toThrow(
      'its queries must have one period, and they have 2',
    );
    await expect(small.deploy({ Rate: { ...rule, Metrics: [ended] } })).rejects.toThrow(
      'it returns 0 metrics instead of one',
    );
  });

  it('has a period that is kept, and only supported properties', async () => {
    await expect(small.deploy({ Long: { ...failures, Period: 3600, EvaluationPeriods: 25 } })).rejects.toThrow(
      'it evaluates more than a day',
    );
    await expect(small.deploy({ Short: { ...failures, Period: 10 } })).rejects.toThrow('the property Period');
    await expect(small.deploy({ Unit: { ...failures, Unit: 'Count' } })).rejects.toThrow('the property Unit is not');
  });
});
