/** Field for the input: a text area until the editor is loaded. */
import './playground.css';
import '../json/json.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { createEditor, Editor } from '../json/editor.ts';

interface Props {
  readonly text: string;
  readonly label: string;
  /** Id of the element with the error. */
  readonly describedBy: string;
  readonly isInvalid: boolean;
  /** Offset to move the cursor to. A new object moves the cursor again. */
  readonly target: { readonly at: number } | undefined;
  readonly onChange: (text: string) => void;
}

/** Maximum length for the editor. With longer texts, highlighting is slower than typing. */
const MAX_LENGTH = 500_000;

export function InputEditor({ text, label, describedBy, isInvalid, target, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const [isReady, setReady] = useState(false);
  const changed = useEffectEvent(onChange);
  const isLarge = text.length > MAX_LENGTH;
  const create = useEffectEvent((element: HTMLElement, make: typeof createEditor) => {
    const hadFocus = document.activeElement === area.current;
    const made = make(element, { text, label, onChange: changed });
    setReady(true);
    if (hadFocus) made.goTo(area.current?.selectionStart ?? 0);
    return made;
  });

  useEffect(() => {
    if (isLarge) return undefined;
    let isGone = false;
    import('../json/editor.ts').then(
      ({ createEditor }) => {
        if (!isGone && host.current) editor.current = create(host.current, createEditor);
      },
      // If the editor cannot be loaded, the text area remains.
      () => undefined,
    );
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = undefined;
      setReady(false);
    };
  }, [isLarge]);

  useEffect(() => editor.current?.setText(text), [text]);

  useEffect(() => {
    if (!target) return;
    if (editor.current) editor.current.goTo(target.at);
    else {
      area.current?.focus();
      area.current?.setSelectionRange(target.at, target.at);
    }
  }, [target]);

  return (
    <div className="input-editor">
      <div ref={host} className="input-editor-host" hidden={!isReady} />
      {!isReady && (
        <textarea
          ref={area}
          className="input-editor-area"
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target: { value } }) => onChange(value)}
        />
      )}
    </div>
  );
}
