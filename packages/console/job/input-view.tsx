/** Shows the input of a job, as the client sent it. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limitedText } from '../api/limited-text.ts';
import { ASKED_FROM, JsonView } from '../json/json-view.tsx';
import { useClient } from '../session/session.tsx';
import { Failure } from '../shell/failure.tsx';
import { bytes } from '../units.ts';

interface Props {
  readonly endpoint: string;
  readonly id: string;
}

export const inputPath = (endpoint: string, id: string) =>
  `/v2/${encodeURIComponent(endpoint)}/input/${encodeURIComponent(id)}`;

export function InputView({ endpoint, id }: Props) {
  const client = useClient();
  const [isWhole, setWhole] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['input', endpoint, id, isWhole],
    queryFn: async ({ signal }) => {
      const response = await client.send(inputPath(endpoint, id), { signal });
      const text = await limitedText(response, isWhole ? Number.POSITIVE_INFINITY : ASKED_FROM);
      return { text };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the input</StatusIndicator>;
  }
  if (data.text !== undefined) return <JsonView text={data.text} label="Input" fileName={`input-${id}`} />;
  return (
    <SpaceBetween size="s">
      <Box>The input has more than {bytes(ASKED_FROM)}.</Box>
      <Button onClick={() => setWhole(true)}>Load it</Button>
    </SpaceBetween>
  );
}
