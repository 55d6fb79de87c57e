/** Serves the local Secrets Manager for tests that call it with adapters and commands. */
import { OPERATOR } from '../../packages/emulator/account.ts';
import { startAwsProxy } from '../../packages/emulator/aws-proxy/server.ts';
import { createPermissions } from '../../packages/emulator/iam/permissions.ts';
import { createSecretStore, type SecretStore } from '../../packages/emulator/secrets/secret-store.ts';
import { createSecretsApi } from '../../packages/emulator/secrets/secrets-api.ts';

const nowhere = 'http://127.0.0.1:1';

export interface SecretService {
  readonly store: SecretStore;
  /** The environment in which the SDK calls it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Advances the clock of the service. */
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

export async function startSecretService(): Promise<SecretService> {
  let now = Date.UTC(2030, 0, 1);
  const clock = () => now;
  const store = createSecretStore(undefined, clock);
  const front = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions: createPermissions(),
    tables: new Map(),
    services: new Map([['secretsmanager', createSecretsApi(store, clock)]]),
    notify: () => undefined,
  });
  return {
    store,
    environment: front.environment(OPERATOR, 'command'),
    advance(milliseconds) {
      now += milliseconds;
    },
    stop: () => front.stop(),
  };
}
