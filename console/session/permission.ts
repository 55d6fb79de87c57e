/** The state of a control by the user's rights. */
import { refusalOf } from './groups.ts';
import { useSession } from './session.tsx';

export interface Permission {
  readonly disabled: boolean;
  /** Names the group that may, or the blocker; absent if the user may, and until it is known. */
  readonly disabledReason?: string;
}

/**
 * For a button that calls the operation.
 * @param blocker why no user can use it now; undefined if it can be used
 */
export function usePermission(operation: string, blocker?: string): Permission {
  const { data: session } = useSession();
  if (!session) return { disabled: true };
  if (!session.operations.includes(operation))
    return { disabled: true, disabledReason: refusalOf(operation, session.groups) };
  return blocker === undefined ? { disabled: false } : { disabled: true, disabledReason: blocker };
}
