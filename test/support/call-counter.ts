/** Counts the AWS calls of the service's adapters, with their units. */
import type { OnClient } from '../../aws/clients.ts';
import { withConstantSignature } from './constant-signature.ts';

/** Quantities of one operation. */
export interface Count {
  /** Calls of DynamoDB and of SQS. */
  readonly calls: number;
  /** Write and read request units of DynamoDB. Those of queries and scans are also counted by themselves. */
  readonly wru: number;
  readonly rru: number;
  readonly queryRru: number;
  readonly sqs: number;
}

export const countNames = ['calls', 'wru', 'rru', 'queryRru', 'sqs'] as const;

interface Capacity {
  readonly CapacityUnits?: number;
}

const unitsIn = (answer: unknown): number => {
  const { ConsumedCapacity = [] } = answer as { readonly ConsumedCapacity?: Capacity | readonly Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

const isWrite = (command: string) => /^(?:Put|Update|Delete|BatchWrite|TransactWrite)/.test(command);
const isQuery = (command: string) => /^(?:Query|Scan)/.test(command);

/** The parts of a client's middleware stack that this module uses. The stacks of the clients have no common type. */
interface Request {
  readonly input: object;
}
type Handler = (request: Request) => Promise<{ readonly output: unknown }>;
interface Middlewares {
  add(
    middleware: (next: Handler, context: { readonly commandName?: string }) => Handler,
    options: { readonly step: 'initialize'; readonly name: string },
  ): void;
}

export interface CallCounter {
  readonly onClient: OnClient;
  /** Runs `work`, and returns what it called. Nothing else may run at the same time. */
  countOf(work: () => Promise<unknown>): Promise<Count>;
}

export function createCallCounter(): CallCounter {
  let calls: { readonly command: string; readonly isDynamodb: boolean; readonly units: number }[] = [];

  return {
    onClient(client) {
      withConstantSignature(client);
      const isDynamodb = client.config.serviceId === 'DynamoDB';
      const middlewares = client.middlewareStack as unknown as Middlewares;
      middlewares.add(
        (next, { commandName: command = '' }) =>
          async (request) => {
            const input = isDynamodb ? { ...request.input, ReturnConsumedCapacity: 'TOTAL' } : request.input;
            try {
              const result = await next({ ...request, input });
              calls.push({ command, isDynamodb, units: unitsIn(result.output) });
              return result;
            } catch (error) {
              // AWS charges one unit for a write whose condition is not met. The emulator omits the charge.
              calls.push({ command, isDynamodb, units: isWrite(command) ? 1 : 0 });
              throw error;
            }
          },
        { step: 'initialize', name: 'countCalls' },
      );
    },

    async countOf(work) {
      calls = [];
      await work();
      const sum = (isCounted: (command: string) => boolean) =>
        calls.reduce((total, { command, units }) => total + (isCounted(command) ? units : 0), 0);
      return {
        calls: calls.length,
        wru: sum(isWrite),
        rru: sum((command) => !isWrite(command)),
        queryRru: sum(isQuery),
        sqs: calls.filter(({ isDynamodb }) => !isDynamodb).length,
      };
    },
  };
}
