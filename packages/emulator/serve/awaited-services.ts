/** Starts the tasks of services whose last missing secret has been created. */
import type { Cloud } from '../cloud.ts';
import { type OperatorCommands, runAsOperator } from '../operator-command.ts';
import type { Outputs, Product } from '../product.ts';
import { awaitedSecrets, needsSecret } from '../secrets/awaited-secrets.ts';
import type { Secret, SecretStore } from '../secrets/secret-store.ts';
import { servicesOf } from './serve.ts';

export interface AwaitedServices {
  readonly product: Pick<Product, 'services' | 'resumeCommand'>;
  readonly cloud: Cloud;
  readonly secrets: Pick<SecretStore, 'find'>;
  readonly commands: OperatorCommands;
  /** Outputs of the main stack. */
  readonly outputs: Outputs;
  notify(text: string): void;
}

/** Starts the services that needed only this secret. ECS and the app might have stopped to try. */
export function secretArrived(parts: AwaitedServices, secret: Secret): void {
  const { product, cloud, secrets, commands, outputs, notify } = parts;
  for (const [name, service] of servicesOf(product, cloud)) {
    const [newest] = service.deployments();
    if (!newest || !needsSecret(newest.taskDefinition, secret)) continue;
    if (awaitedSecrets(newest.taskDefinition, secrets).length > 0) continue;
    notify(`Secret ${secret.name} exists, so tasks of ${name} can start.`);
    if (newest.rolloutState === 'FAILED') service.update({ forceNewDeployment: true });
    const command = product.resumeCommand?.(outputs, name);
    if (command)
      runAsOperator(commands, command, 'resume').catch((error: Error) =>
        notify(`${name} could not be resumed: ${error.message}`),
      );
  }
}
