/** Lets the user choose one of the example inputs in the endpoint's file. */
import Select from '@cloudscape-design/components/select';
import { useKnownEndpoints } from '../endpoint/use-endpoints.ts';

interface Props {
  readonly endpoint: string;
  readonly onChoose: (input: string) => void;
}

export function Examples({ endpoint, onChoose }: Props) {
  const examples = useKnownEndpoints().find(({ id }) => id === endpoint)?.examples ?? [];
  return (
    <Select
      placeholder={examples.length === 0 ? 'No examples' : 'Choose an example'}
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
