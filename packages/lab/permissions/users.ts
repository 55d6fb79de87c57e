/** Makes the calls that are allowed only to users of the console, over `npm start`. */
import { call } from '../../../test/acceptance/local-service.ts';
import { signInAs } from '../../../test/acceptance/user-token.ts';
import { FIRST } from './assemblies.ts';
import type { Stage } from './stage.ts';

/** Creates, lists and revokes a key, and resumes an endpoint. */
export async function usersDo({ service }: Stage): Promise<void> {
  const { access_token: token } = await signInAs(service, 'admin');
  const headers = { Authorization: `Bearer ${token}` };
  const asAdmin = async (method: string, path: string, body?: string) => {
    const answer = await call(service, method, `${service.ManagementApiUrl}${path}`, {
      headers,
      ...(body && { body }),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path} of a user returned ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  await asAdmin('POST', '/keys', '{"name":"made"}');
  const { keys } = (await asAdmin('GET', '/keys')) as { keys: readonly { id: string; name: string }[] };
  await asAdmin('DELETE', `/keys/${keys.find(({ name }) => name === 'made')?.id}`);
  await asAdmin('POST', `/endpoints/${FIRST}/resume`);
}
