/** Step Functions on this machine: asynchronous Express executions, which stop when this process exits. */
import { randomUUID } from 'node:crypto';
import type { StateMachine } from 'aws-local-stepfunctions';
import { account } from '../account.ts';
import type { Access } from '../iam/evaluate.ts';
import type { Definition } from './definition.ts';

export interface StateMachineDefinition {
  readonly name: string;
  readonly arn: string;
  /** ARN of the role under which the state machine calls functions. */
  readonly roleArn: string;
  readonly definition: Definition;
}

export interface StateMachines {
  define(definition: StateMachineDefinition): Promise<void>;
  has(arn: string): boolean;
  /**
   * Starts an execution, and returns its ARN.
   * @param input JSON
   * @throws Error if the state machine does not exist
   */
  start(arn: string, input: string): string;
  /** Aborts all executions. */
  stop(): void;
}

export interface StateMachinesHost {
  /**
   * Calls a function.
   * @throws if the function fails
   */
  invoke(functionArn: string, event: object): Promise<string>;
  /**
   * Authorizes an action.
   * @throws if the role does not have the permission
   */
  authorize(roleArn: string, access: Access): void;
  /** Replaces the pauses before retries, in milliseconds; for tests. */
  readonly pause?: number;
}

interface Runner {
  readonly definition: StateMachineDefinition;
  readonly machine: StateMachine;
}

interface InvokeParameters {
  readonly FunctionName: string;
  readonly Payload: object;
}

export function createStateMachines({ invoke, authorize, pause }: StateMachinesHost): StateMachines {
  const runners = new Map<string, Runner>();
  const underWay = new Set<() => void>();

  /** Returns the functions that the interpreter calls for tasks, and the context that expressions can read. */
  function surroundings({ roleArn, definition }: StateMachineDefinition, executionArn: string) {
    // Expressions cannot read the interpreter's own number of retries.
    const State = { RetryCount: 0 };
    const tasks = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Task');
    const call = async ({ FunctionName, Payload }: InvokeParameters) => {
      try {
        authorize(roleArn, { action: 'lambda:InvokeFunction', resource: FunctionName });
        return { StatusCode: 200, Payload: JSON.parse(await invoke(FunctionName, Payload)) as unknown };
      } catch (error) {
        State.RetryCount += 1;
        throw error;
      }
    };
    const handlers = tasks.map(([name]) => {
      const handle = (input: unknown) => call(input as InvokeParameters);
      return [name, handle] as const;
    });
    const pauses = pause === undefined ? {} : Object.fromEntries(tasks.map(([name]) => [name, pause]));
    return {
      context: { Execution: { Id: executionArn }, State },
      overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers), retryIntervalOverrides: pauses },
    };
  }

  return {
    async define(definition) {
      // The interpreter is loaded on demand, because loading is slow and not every stack has a state machine.
      const { StateMachine } = await import('aws-local-stepfunctions');
      const machine = new StateMachine(definition.definition as never, { validationOptions: { noValidate: true } });
      runners.set(definition.arn, { definition, machine });
    },

    has: (arn) => runners.has(arn),

    start(arn, input) {
      const runner = runners.get(arn);
      if (!runner) throw new Error(`State Machine Does Not Exist: '${arn}'`);
      const { definition, machine } = runner;
      const id = `express:${definition.name}:${randomUUID()}:${randomUUID()}`;
      const executionArn = `arn:${account.partition}:states:${account.region}:${account.id}:${id}`;
      const { result, abort } = machine.run(JSON.parse(input), surroundings(definition, executionArn) as never);
      underWay.add(abort);
      // The result of an asynchronous Express execution is not available in AWS either.
      result.then(
        () => underWay.delete(abort),
        () => underWay.delete(abort),
      );
      return executionArn;
    },

    stop() {
      for (const abort of underWay) abort();
    },
  };
}
