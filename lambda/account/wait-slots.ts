import { createAccount } from '../../aws/account.ts';
import { slotsOf } from '../../core/waiting-calls/slots.ts';
import { customResource } from '../custom-resource.ts';

const account = createAccount();

/** The custom resource that determines the number of slots for calls that wait, as the attribute `slots`. */
export const handler = customResource(
  async ({ RequestType }) => {
    if (RequestType === 'Delete') return undefined;
    return { slots: slotsOf(await account.concurrentExecutions()) };
  },
  () => 'wait-slots',
);
