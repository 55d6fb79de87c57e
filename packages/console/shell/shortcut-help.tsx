/** Lists the shortcuts. */
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import { Fragment } from 'react';
import { shortcutKeys } from './shortcuts.ts';

export default function ShortcutHelp({ onDismiss }: { readonly onDismiss: () => void }) {
  return (
    <Modal visible header="Keyboard shortcuts" onDismiss={onDismiss}>
      <KeyValuePairs
        columns={2}
        items={shortcutKeys.map(({ keys, does }) => ({
          label: does,
          value: keys.map((key, index) => (
            <Fragment key={key}>
              {index > 0 && ' then '}
              <kbd>{key}</kbd>
            </Fragment>
          )),
        }))}
      />
    </Modal>
  );
}
