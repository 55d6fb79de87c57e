import { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createExpiryTimers } from '../../aws/expiry-timers.ts';
import { changesFrom } from '../../aws/job-stream.ts';
import { createServices } from '../../aws/services.ts';
import { createWorld } from '../../aws/world.ts';
import { record } from '../../core/ledger/record.ts';

const world = Object.assign(createWorld(), {
  services: createServices(),
  expiryTimers: createExpiryTimers(new Logger()),
});

/** The stream of the jobs table. A batch that fails is cut in halves until what makes it fail is alone. */
export const handler = (event: DynamoDBStreamEvent): Promise<void> => record(world, changesFrom(event.Records));
