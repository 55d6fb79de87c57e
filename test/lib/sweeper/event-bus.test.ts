import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { eventBusOf } from '../../../lib/sweeper/event-bus.ts';
import { permissionsOf } from '../permissions.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

const BUS = 'arn:aws:events:eu-west-1:123456789012:event-bus/gpu';

/** Returns the statements that allow the sweeper to send events, and its variables. */
function sweeperWith(settings: object) {
  const { template } = stackOf(synthesizeWith(settings), 'Platform');
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const statements = roles.flatMap((role) =>
    permissionsOf(template, role)
      .filter(({ actions }) => actions.some((action) => action.startsWith('events:')))
      .map(({ on, actions }) => ({ role: role.slice(0, 'SweeperSweep'.length), on, actions })),
  );
  const [sweep] = Object.values(template.findResources('AWS::Lambda::Function')).filter(({ Properties }) =>
    String(Properties.Description).startsWith('Every minute: lost workers'),
  );
  return { statements, variables: sweep?.Properties.Environment.Variables as Record<string, unknown> };
}

describe('the setting eventBus', () => {
  it('lets only the sweeper put events, and only on the bus', () => {
    const { statements, variables } = sweeperWith({ eventBus: BUS });
    expect(statements).toEqual([{ role: 'SweeperSweep', on: JSON.stringify(BUS), actions: ['events:PutEvents'] }]);
    expect(variables).toMatchObject({ EVENT_BUS: BUS });
  });

  it('names the default bus of the account and Region', () => {
    const [statement] = sweeperWith({ eventBus: 'default' }).statements;
    expect(statement?.on).toContain(':event-bus/default');
  });

  it('is off by default', () => {
    const { statements, variables } = sweeperWith({});
    expect(statements).toEqual([]);
    expect(variables).not.toHaveProperty('EVENT_BUS');
  });

  it.each(['other', 'arn:aws:sns:eu-west-1:123456789012:x', 5])('cannot be %j', (eventBus) => {
    expect(() => eventBusOf(new Stack(new App({ context: { eventBus } })))).toThrow('`eventBus` must be `default`');
  });
});
