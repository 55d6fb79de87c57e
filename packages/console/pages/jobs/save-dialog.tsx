/** Saves the address of a page with its filters under a name, and removes saved links. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useId, useState } from 'react';
import { prefer, usePreferences } from '../../preference-store.ts';
import { linkLimits, withLink, withoutLink } from '../../preferences.ts';

interface Props {
  /** Relative to `/console`. */
  readonly address: string;
  readonly onDismiss: () => void;
}

export default function SaveDialog({ address, onDismiss }: Props) {
  const form = useId();
  const { links } = usePreferences();
  const [name, setName] = useState('');
  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return;
    prefer({ links: withLink(links, { name: name.trim(), address }) });
    onDismiss();
  }
  return (
    <Modal
      visible
      header="Save these filters as a link"
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              Close
            </Button>
            <Button variant="primary" form={form} formAction="submit" disabled={name.trim() === ''}>
              Save
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="l">
        <form id={form} onSubmit={save}>
          <FormField
            label="Name"
            description="The link is in the menu Saved of this browser. To share it, copy the address of the page."
            constraintText={`At most ${linkLimits.name} characters. A link with the same name is replaced.`}
          >
            <Input
              value={name}
              placeholder="Failed last night"
              onChange={({ detail }) => setName(detail.value.slice(0, linkLimits.name))}
            />
          </FormField>
        </form>
        {links.length > 0 && (
          <ul className="saved" aria-label="Saved links">
            {links.map((link) => (
              <li key={link.name}>
                <span className="anywhere">{link.name}</span>
                <Button
                  variant="inline-link"
                  ariaLabel={`Remove ${link.name}`}
                  onClick={() => prefer({ links: withoutLink(links, link.name) })}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
      </SpaceBetween>
    </Modal>
  );
}
