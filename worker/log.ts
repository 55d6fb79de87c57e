/**
 * The agent's log, in the format of Powertools for AWS Lambda, which the functions use. The agent writes two lines for
 * each job; with Powertools they were 5 % of its processor time.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import type { AgentLog } from './agent/ports.ts';

const service = 'agent';

/**
 * Writes the agent's log as lines of JSON.
 * @param write writes a line; by default, to the standard output
 */
export function createLog(write = (line: string): unknown => process.stdout.write(line)): AgentLog {
  const logger = new Logger({ serviceName: service });
  return {
    info(message, fields) {
      const timestamp = new Date().toISOString();
      write(`${JSON.stringify({ level: 'INFO', message, timestamp, service, sampling_rate: 0, ...fields })}\n`);
    },
    // Powertools describes the exceptions in the fields.
    error: (message, fields) => logger.error(message, fields),
  };
}
