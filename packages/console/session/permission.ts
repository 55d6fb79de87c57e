/** Enables or disables a control according to the user's rights. */
import { refusalOf } from './groups.ts';
import { useSession } from './session.tsx';

export interface Permission {
  readonly disabled: boolean;
  /**
   * Why the user cannot call the operation: the missing group or the blocker. Absent if the user can call it, and
   * until the session is loaded.
   */
  readonly disabledReason?: string;
}

/**
 * Returns the state of a button that calls the operation.
 * @param blocker why no user can call the operation now; undefined if users can
 */
export function usePermission(operation: string, blocker?: string): Permission {
  const { data: session } = useSession();
  if (!session) return { disabled: true };
  if (!session.operations.includes(operation))
    return { disabled: true, disabledReason: refusalOf(operation, session.groups) };
  return blocker === undefined ? { disabled: false } : { disabled: true, disabledReason: blocker };
}
