/** Counts the calls of an AWS client, and writes the counts to a file when the process is stopped. */
import { writeFileSync } from 'node:fs';

const counts = {};

/** @param count names a call after its response; undefined if it does not belong to a job */
export function counted(client, count = (name) => name) {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const operation = count(commandName.replace(/Command$/, ''), result.output);
        if (operation !== undefined) {
          const { calls, units } = counts[operation] ?? { calls: 0, units: 0 };
          const { CapacityUnits = 0 } = result.output.ConsumedCapacity ?? {};
          counts[operation] = { calls: calls + 1, units: units + CapacityUnits };
        }
        return result;
      },
    { step: 'initialize' },
  );
  return client;
}

process.once('SIGTERM', () => {
  writeFileSync(process.env.CALLS, JSON.stringify(counts));
  process.exit(0);
});
