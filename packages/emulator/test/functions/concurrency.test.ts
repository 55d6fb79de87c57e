/** Tests concurrent executions on this machine: those of the account, and those reserved for a function. */
import { describe, expect, it } from '@jest/globals';
import { FunctionThrottled } from '../../functions/call.ts';
import { type Concurrency, createConcurrency } from '../../functions/concurrency.ts';
import { LocalError } from '../../local-error.ts';

const begin = (concurrency: Concurrency, arn: string, executions: number) =>
  Array.from({ length: executions }, () => concurrency.begin(arn));

describe('an account of 130 executions, 20 of which are reserved for the ledger', () => {
  function account() {
    const notices: string[] = [];
    const concurrency = createConcurrency(130, (text) => notices.push(text));
    concurrency.reserve('ledger', 20);
    return { concurrency, notices };
  }

  it('runs the ledger while other functions use all unreserved executions', () => {
    const { concurrency, notices } = account();
    begin(concurrency, 'runsync', 60);
    begin(concurrency, 'status', 50);
    expect(() => concurrency.begin('runsync')).toThrow(FunctionThrottled);
    expect(() => begin(concurrency, 'ledger', 20)).not.toThrow();
    expect(notices).toEqual([
      '110 executions of functions are running, the limit of the account: further calls are throttled.',
    ]);
  });

  it('throttles the ledger above its reservation, even if other executions are free', () => {
    const { concurrency, notices } = account();
    const [end] = begin(concurrency, 'ledger', 20);
    expect(() => concurrency.begin('ledger')).toThrow(FunctionThrottled);
    expect(() => concurrency.begin('runsync')).not.toThrow();
    expect(notices).toEqual([
      '20 executions of functions are running, the reservation of ledger: further calls are throttled.',
    ]);
    end?.();
    expect(() => concurrency.begin('ledger')).not.toThrow();
  });

  it('refuses a reservation that leaves fewer than 100 executions to other functions, as AWS does', () => {
    const { concurrency } = account();
    expect(() => concurrency.reserve('sweeper', 11)).toThrow(LocalError);
    expect(() => concurrency.reserve('sweeper', 11)).toThrow(
      '11 executions cannot be reserved for sweeper: of 130, 99 are left to functions without a reservation, and AWS requires 100. Raise LOCAL_CONCURRENCY.',
    );
    expect(() => concurrency.reserve('sweeper', 10)).not.toThrow();
  });

  it('counts the reservation of a redefined function only one time', () => {
    const { concurrency } = account();
    concurrency.reserve('ledger', 25);
    concurrency.reserve('ledger', 30);
    expect(() => begin(concurrency, 'runsync', 101)).toThrow(FunctionThrottled);
    expect(() => begin(concurrency, 'ledger', 30)).not.toThrow();
  });
});
