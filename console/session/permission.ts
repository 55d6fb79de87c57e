/** What a control shows of the user's rights. */
import { refusalOf } from './groups.ts';
import { useSession } from './session.tsx';

interface Permission {
  readonly disabled: boolean;
  /** Names the group that may; absent if the user may, and until it is known. */
  readonly disabledReason?: string;
}

/** For a button that calls the operation. */
export function usePermission(operation: string): Permission {
  const { data: session } = useSession();
  if (!session) return { disabled: true };
  if (session.operations.includes(operation)) return { disabled: false };
  return { disabled: true, disabledReason: refusalOf(operation, session.groups) };
}
