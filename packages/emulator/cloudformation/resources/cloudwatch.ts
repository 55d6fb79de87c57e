import { alarmSchema, queriesOf } from '../../cloudwatch/definition.ts';
import { MathError } from '../../cloudwatch/math.ts';
import { RETENTION } from '../../cloudwatch/metrics.ts';
import { compileQueries } from '../../cloudwatch/queries.ts';
import { LocalError } from '../../local-error.ts';
import { describe, nameInAws } from '../resource.ts';
import { run } from '../resource-type.ts';

export const alarm = run(alarmSchema, (resource, { alarms, metrics }) => {
  const { properties } = resource;
  const { AlarmName: name = nameInAws(resource), EvaluationPeriods } = properties;
  try {
    const definitions = queriesOf(properties);
    const returned = definitions.filter(({ ReturnData }) => ReturnData);
    const [compared] = returned;
    if (!compared || returned.length > 1) throw new MathError(`it returns ${returned.length} metrics instead of one`);
    const queries = compileQueries(definitions, metrics);
    if (EvaluationPeriods * queries.period > RETENTION) throw new MathError('it evaluates more than a day');
    return { ref: name, attributes: { Arn: alarms.declare({ name, properties, queries, compared: compared.Id }) } };
  } catch (error) {
    if (!(error instanceof MathError)) throw error;
    throw new LocalError(`${describe(resource)} cannot run here: ${error.message}.`, { cause: error });
  }
});
