/** The attributes of the custom resource that associates an endpoint with a template. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Association } from '../../core/templates/associate.ts';
import { driftPhrase, driftResponseOf } from '../../core/templates/drift.ts';

const logger = new Logger();

/**
 * Returns the id of the template, and the changes of clients that the deployment has overwritten: without values, which
 * can be secret, and with the time, so that the attribute changes.
 */
export function attributesOf({ template, takenBack }: Association): { template: string; takenBack: string } {
  const fields = driftResponseOf(takenBack).map(driftPhrase);
  if (fields.length > 0) logger.warn('The deployment takes back changes of clients.', { template, fields });
  return { template, takenBack: `${new Date().toISOString()}: ${fields.join('; ') || 'nothing'}` };
}
