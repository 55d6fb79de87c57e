/** Button that resumes an endpoint that has backed off, and retries a release that was rolled back. */
import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Resumed } from '../../api/management-types.ts';
import { endpointsKey } from '../../endpoint/use-endpoints.ts';
import { usePermission } from '../../session/permission.ts';
import { useClient } from '../../session/session.tsx';

export interface Outcome {
  readonly resumed?: Resumed;
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
    mutationFn: () => client.json<Resumed>(`/v1/endpoints/${encodeURIComponent(endpoint)}/resume`, { method: 'POST' }),
    onSuccess: (resumed) => {
      onDone({ resumed });
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
