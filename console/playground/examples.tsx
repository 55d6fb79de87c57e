/** The named inputs that an endpoint's file has. */
import Select from '@cloudscape-design/components/select';
import { useQuery } from '@tanstack/react-query';
import type { EndpointList } from '../api/management-types.ts';
import { useClient } from '../session/session.tsx';

interface Props {
  readonly endpoint: string;
  readonly onChoose: (input: string) => void;
}

export function Examples({ endpoint, onChoose }: Props) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['endpoints'],
    queryFn: ({ signal }) => client.json<EndpointList>('/v1/endpoints', { signal }),
    staleTime: 60_000,
  });
  const examples = data?.endpoints.find(({ id }) => id === endpoint)?.examples ?? [];
  return (
    <Select
      placeholder={examples.length === 0 ? 'No examples' : 'Take an example'}
      disabled={examples.length === 0}
      selectedOption={null}
      options={examples.map(({ name }) => ({ value: name, label: name }))}
      ariaLabel="Example"
      onChange={({ detail }) => {
        const example = examples.find(({ name }) => name === detail.selectedOption.value);
        if (example) onChoose(JSON.stringify(example.input, null, 2));
      }}
    />
  );
}
