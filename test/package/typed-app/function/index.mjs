/** Runs a job on the endpoint in the path, with the key that the app has granted. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const { GPU_ENDPOINTS_URL, GPU_ENDPOINTS_KEY_SECRET } = process.env;
const secrets = new SecretsManagerClient();

export async function handler({ pathParameters }) {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: GPU_ENDPOINTS_KEY_SECRET }));
  const response = await fetch(`${GPU_ENDPOINTS_URL}/${pathParameters.endpoint}/runsync?wait=60000`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${SecretString}` },
    body: JSON.stringify({ input: { text: 'hello' } }),
  });
  return { statusCode: response.status, body: await response.text() };
}
