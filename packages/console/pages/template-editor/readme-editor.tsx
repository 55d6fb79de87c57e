/** Edits a readme, with a preview. */
import Tabs from '@cloudscape-design/components/tabs';
import Textarea from '@cloudscape-design/components/textarea';
import { Readme } from '../../readme/readme.tsx';

interface Props {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function ReadmeEditor({ text, onChange }: Props) {
  return (
    <Tabs
      ariaLabel="Readme"
      tabs={[
        {
          id: 'write',
          label: 'Write',
          content: (
            <Textarea value={text} rows={12} ariaLabel="Readme" onChange={({ detail }) => onChange(detail.value)} />
          ),
        },
        { id: 'preview', label: 'Preview', content: <Readme text={text} /> },
      ]}
    />
  );
}
