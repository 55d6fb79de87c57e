import { Logger } from '@aws-lambda-powertools/logger';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createReleasePorts } from '../../aws/releases/ports.ts';
import { changedTemplateIds } from '../../aws/templates/changed-templates.ts';
import { rollout } from '../../core/releases/template-rollout.ts';

const logger = new Logger();
const ports = createReleasePorts();

/**
 * Handles the stream of the templates table. Lambda halves a failing batch until it contains only the failing change.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const templates = changedTemplateIds(Records);
  const endpoints = await rollout(ports, templates);
  if (templates.length > 0) logger.info('Released.', { templates, endpoints });
}
