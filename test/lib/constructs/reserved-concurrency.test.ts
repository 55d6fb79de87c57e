/** Tests the reserved concurrency of the functions on which all other functions depend. */
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { reservedConcurrencyOf } from '../../../lib/constructs/reserved-concurrency.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

/** Returns the reserved concurrency by function. Functions without it are absent. */
function reservedWith(settings: object): Record<string, number> {
  const { template } = stackOf(synthesizeWith(settings), 'Platform');
  const functions = Object.entries(template.findResources('AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.flatMap(([id, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined
        ? []
        : [[id.replace(/[0-9A-F]{8}$/, ''), Properties.ReservedConcurrentExecutions]],
    ),
  );
}

describe('the context `reservedConcurrency`', () => {
  it.each([{}, { reservedConcurrency: 'off' }, { reservedConcurrency: '' }])(
    'reserves nothing with %j, so that a new account can deploy',
    (settings) => {
      expect(reservedWith(settings)).toEqual({});
    },
  );

  it('reserves concurrency for authorizer, ledger, sweeper and observer, and for no function whose calls wait', () => {
    expect(reservedWith({ reservedConcurrency: 'on' })).toEqual({
      AuthorizerAuthorize: 100,
      LedgerRecord: 20,
      SweeperSweep: 5,
      FleetEventsObserve: 10,
    });
  });

  it('sets the sizes that it names, and does not change the other sizes', () => {
    expect(reservedWith({ reservedConcurrency: { authorizer: 300, observer: 1 } })).toEqual({
      AuthorizerAuthorize: 300,
      LedgerRecord: 20,
      SweeperSweep: 5,
      FleetEventsObserve: 1,
    });
  });

  it.each(['yes', 100, [], { ledger: 0 }, { ledger: 10_001 }, { ledger: 1.5 }, { ledger: '20' }, { runsync: 500 }])(
    'refuses %j with an error that lists the allowed values',
    (reservedConcurrency) => {
      const app = new App({ context: { reservedConcurrency } });
      expect(() => reservedConcurrencyOf(app, 'ledger')).toThrow(
        `The context \`reservedConcurrency\` is ${JSON.stringify(reservedConcurrency)}; it must be "on", "off", or an object with whole numbers from 1 to 10000 for some of authorizer, ledger, sweeper, observer.`,
      );
    },
  );
});
