/** Fields of a template, in the sections of its form. */
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Tabs from '@cloudscape-design/components/tabs';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import type { FieldError, FormErrors } from '../../api/field-errors.ts';
import { Readme } from '../../readme/readme.tsx';
import { concerned } from '../../template/env.ts';
import { type Field, fields } from '../../template/fields.ts';
import { categories } from '../../template/kind.ts';
import type { Draft } from './draft.ts';
import { EnvEditor } from './env-editor.tsx';

interface Props {
  readonly draft: Draft;
  readonly errors: FormErrors;
  /** Whether category and kind of instances can still be chosen; both are fixed after the creation. */
  readonly isNew: boolean;
  readonly onChange: (changes: Partial<Draft>) => void;
}

interface FieldTexts {
  readonly description?: string;
  readonly constraint?: string;
  readonly placeholder?: string;
  /** Label of a checkbox. */
  readonly choice?: string;
  readonly isFixed?: boolean;
}

interface Section {
  readonly title: string;
  readonly isRow?: boolean;
  readonly fields: Readonly<Partial<Record<Exclude<Field, 'env' | 'readme'>, FieldTexts>>>;
}

const WORDS = 'As in a Dockerfile: ["serve", "--port", "8080"], or words without quotes.';

const sections: readonly Section[] = [
  {
    title: 'Template',
    fields: {
      name: { constraint: '1 to 191 characters. Must be unique.' },
      imageName: {
        constraint: 'At most 255 characters, with its tag or digest.',
        placeholder: 'registry.example.com/team/worker:1.2',
      },
      containerRegistryAuthId: {
        description: 'For a private image: the id of a login that was stored with `npx gpu-endpoints registry`.',
        constraint: 'Leave empty if the image needs no login.',
      },
      category: {
        description: 'Hardware of the workers. An endpoint can only use templates for its own kind of capacity.',
        isFixed: true,
      },
      isServerless: {
        choice: 'The instances are serverless workers',
        description: 'Endpoints can only run templates for serverless workers.',
        isFixed: true,
      },
      isPublic: {
        choice: 'Every user can use this template',
        description: 'Other owners can read and use it. They see the names of its variables, but not the values.',
      },
    },
  },
  {
    title: 'Disk and volume',
    isRow: true,
    fields: {
      containerDiskInGb: { constraint: '1 to 16000 GB. Empty when a worker starts.' },
      volumeInGb: { constraint: '0 to 16000 GB. Its files are kept. 0 for no volume.' },
      volumeMountPath: { constraint: 'An absolute path in the container.' },
    },
  },
  {
    title: 'Command and ports',
    fields: {
      dockerEntrypoint: {
        description: "Replaces the image's ENTRYPOINT. Empty for the image's own.",
        constraint: WORDS,
      },
      dockerStartCmd: { description: "Replaces the image's CMD. Empty for the image's own.", constraint: WORDS },
      ports: { description: 'Ports that the container listens on.', placeholder: '8080/http 22/tcp' },
    },
  },
];

const textOf = (errors: readonly FieldError[] = []) =>
  errors.map(({ text, index }) => (index === undefined ? text : `Entry ${index + 1}: ${text}`)).join(' ');

interface ControlProps extends Props {
  readonly of: keyof Section['fields'];
  readonly texts: FieldTexts;
}

function Control({
  of,
  texts: { choice, description, placeholder = '', isFixed },
  draft,
  isNew,
  onChange,
}: ControlProps) {
  const value = draft[of];
  const disabled = isFixed === true && !isNew;
  if (typeof value === 'boolean')
    return (
      <Checkbox
        checked={value}
        disabled={disabled}
        description={description}
        onChange={({ detail }) => onChange({ [of]: detail.checked })}
      >
        {choice}
      </Checkbox>
    );
  if (of === 'category') {
    const options = categories.map((category) => ({ value: category, label: category }));
    return (
      <Select
        selectedOption={options.find((option) => option.value === value) ?? null}
        options={options}
        disabled={disabled}
        onChange={({ detail }) => onChange({ [of]: detail.selectedOption.value as Draft['category'] })}
      />
    );
  }
  return (
    <Input
      value={value}
      spellcheck={false}
      placeholder={placeholder}
      onChange={({ detail }) => onChange({ [of]: detail.value })}
    />
  );
}

function SectionFields({ section, ...props }: Props & { readonly section: Section }) {
  const all = Object.entries(section.fields) as [keyof Section['fields'], FieldTexts][];
  const controls = all.map(([of, texts]) => (
    <FormField
      key={of}
      label={fields[of].label}
      description={texts.choice === undefined && texts.description}
      constraintText={texts.isFixed ? `Cannot be changed${props.isNew ? ' later' : ''}.` : texts.constraint}
      errorText={textOf(props.errors.fields[of])}
      i18nStrings={{ errorIconAriaLabel: 'Error' }}
    >
      <Control of={of} texts={texts} {...props} />
    </FormField>
  ));
  return (
    <Container header={<Header variant="h2">{section.title}</Header>}>
      {section.isRow ? (
        <ColumnLayout columns={3}>{controls}</ColumnLayout>
      ) : (
        <SpaceBetween size="l">{controls}</SpaceBetween>
      )}
    </Container>
  );
}

interface LargeProps {
  readonly of: 'env' | 'readme';
  readonly description: string;
  /** In a `FormField`, an error would mark each entry. */
  readonly error: string;
  readonly children: ReactNode;
}

function LargeField({ of, description, error, children }: LargeProps) {
  return (
    <Container
      header={
        <Header variant="h2" description={description}>
          {fields[of].label}
        </Header>
      }
    >
      <SpaceBetween size="xs">
        {error !== '' && (
          <div className="form-error" tabIndex={-1}>
            <StatusIndicator type="error">{error}</StatusIndicator>
          </div>
        )}
        {children}
      </SpaceBetween>
    </Container>
  );
}

export function FormSections(props: Props) {
  const { draft, errors, onChange } = props;
  const ofEnv = errors.fields.env ?? [];
  const rows = new Map(ofEnv.flatMap(({ text }) => concerned(text, draft.env).map((row) => [row, text] as const)));
  const general = ofEnv.filter(({ text }) => concerned(text, draft.env).length === 0);
  return (
    <SpaceBetween size="l">
      {sections.map((section) => (
        <SectionFields key={section.title} section={section} {...props} />
      ))}
      <LargeField
        of="env"
        description="A secret is a value stored with `npx gpu-endpoints secrets`. Only the container gets it. Values of variables whose names suggest credentials are not shown."
        error={textOf(general)}
      >
        <EnvEditor variables={draft.env} errors={rows} onChange={(env) => onChange({ env })} />
      </LargeField>
      <LargeField
        of="readme"
        description="Markdown of at most 100 KB. HTML is shown as text."
        error={textOf(errors.fields.readme)}
      >
        <Tabs
          ariaLabel="Readme"
          tabs={[
            {
              id: 'write',
              label: 'Write',
              content: (
                <Textarea
                  value={draft.readme}
                  rows={12}
                  ariaLabel="Readme"
                  onChange={({ detail }) => onChange({ readme: detail.value })}
                />
              ),
            },
            { id: 'preview', label: 'Preview', content: <Readme text={draft.readme} /> },
          ]}
        />
      </LargeField>
    </SpaceBetween>
  );
}
