/** Starts the workers of endpoints whose last missing secret has been created. */
import type { Cloud } from '../cloud.ts';
import { type OperatorCommands, runAsOperator } from '../operator-command.ts';
import type { Outputs, Product } from '../product.ts';
import { awaitedSecrets, needsSecret } from '../secrets/awaited-secrets.ts';
import type { Secret, SecretStore } from '../secrets/secret-store.ts';
import { servicesOf } from './serve.ts';

export interface AwaitedEndpoints {
  readonly product: Pick<Product, 'endpointOf' | 'resumeCommand'>;
  readonly cloud: Cloud;
  readonly secrets: Pick<SecretStore, 'find'>;
  readonly commands: OperatorCommands;
  /** Outputs of the main stack. */
  readonly outputs: Outputs;
  notify(text: string): void;
}

/** Starts the endpoints that needed only this secret. ECS and the endpoint might have stopped to try. */
export function secretArrived(parts: AwaitedEndpoints, secret: Secret): void {
  const { product, cloud, secrets, commands, outputs, notify } = parts;
  for (const [endpoint, service] of servicesOf(product, cloud)) {
    const [newest] = service.deployments();
    if (!newest || !needsSecret(newest.taskDefinition, secret)) continue;
    if (awaitedSecrets(newest.taskDefinition, secrets).length > 0) continue;
    notify(`Secret ${secret.name} exists, so workers of ${endpoint} can start.`);
    if (newest.rolloutState === 'FAILED') service.update({ forceNewDeployment: true });
    const command = product.resumeCommand(outputs, endpoint);
    if (command)
      runAsOperator(commands, command, 'resume').catch((error: Error) =>
        notify(`Endpoint ${endpoint} could not be resumed: ${error.message}`),
      );
  }
}
