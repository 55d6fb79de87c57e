/** Lets an endpoint start workers again that backs off, and tries a release again that was rolled back. */
import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endpointsKey } from '../../../endpoint/use-endpoints.ts';
import { usePermission } from '../../../session/permission.ts';
import { useClient } from '../../../session/session.tsx';

export interface Outcome {
  readonly error?: unknown;
}

interface Props {
  readonly endpoint: string;
  readonly onDone: (outcome: Outcome) => void;
}

export function ResumeButton({ endpoint, onDone }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const permission = usePermission('resume');
  const { mutate, isPending } = useMutation({
    mutationFn: () => client.send(`/v1/endpoints/${encodeURIComponent(endpoint)}/resume`, { method: 'POST' }),
    onSuccess: () => {
      onDone({});
      return queries.invalidateQueries({ queryKey: endpointsKey });
    },
    onError: (error) => onDone({ error }),
  });
  return (
    <Button {...permission} loading={isPending} onClick={() => mutate()}>
      Resume
    </Button>
  );
}
