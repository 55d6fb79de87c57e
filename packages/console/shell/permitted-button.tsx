/** A button for an operation. If the user may not call the operation, the button is disabled and shows why. */
import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { usePermission } from '../session/permission.ts';

interface Props extends Omit<ButtonProps, 'disabledReason'> {
  readonly operation: string;
  /** Why the operation is now refused for every user, as a sentence. */
  readonly refusal?: string | undefined;
}

export function PermittedButton({ operation, refusal, disabled = false, ...button }: Props) {
  const permission = usePermission(operation);
  const reason = permission.disabledReason ?? refusal;
  return (
    <Button
      {...button}
      disabled={disabled || permission.disabled || reason !== undefined}
      {...(reason !== undefined && { disabledReason: reason })}
    />
  );
}
