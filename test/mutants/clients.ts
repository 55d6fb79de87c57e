/** Mutants of the clients of AWS services. */
import { type Mutant, mutant } from './mutant.ts';

const CLIENTS = 'aws/clients.ts';
const HANDLER = 'aws/request-handler.ts';
const ITEMS = 'test/aws/clients.test.ts';
const REQUESTS = 'test/aws/request-handler.test.ts';
const OBJECTS = 'test/aws/s3-objects.test.ts';
const S3 = 'aws/jobs/s3-objects.ts';

export const clientMutants: readonly Mutant[] = [
  mutant('concurrent calls to AWS have no limit')
    .replace(HANDLER, 'pLimit(MAX_CONCURRENT)', 'pLimit(1_000)')
    .killedBy(REQUESTS, 'at a time'),
  mutant('a call to AWS has no time limit')
    .remove(HANDLER, '    throwOnRequestTimeout: true,\n')
    .killedBy(REQUESTS, 'end after their timeout'),
  mutant('a connection to AWS has no time limit')
    .remove(HANDLER, '    connectionTimeout: CONNECT,\n')
    .killedBy(REQUESTS, 'without a connection'),
  mutant('an undefined value is refused')
    .replace(CLIENTS, 'removeUndefinedValues: true', 'removeUndefinedValues: false')
    .killedBy(ITEMS, 'without its undefined values'),
  mutant('a client of items changes how other items are read')
    .replace(CLIENTS, '{ ...anyNumber }', 'anyNumber')
    .killedBy('test/aws/jobs.test.ts', 'changes the stored job'),
  mutant('the checksum of an object is not compared')
    .remove(S3, ", ChecksumMode: 'ENABLED'")
    .killedBy(OBJECTS, 'does not match the checksum'),
];
