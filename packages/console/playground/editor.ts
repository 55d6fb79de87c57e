/**
 * Creates a CodeMirror editor in a shadow root. There its styles are constructed style sheets, which the content
 * security policy allows. In the document they would be style elements, which the policy refuses.
 */
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';

export interface Editor {
  /** Replaces the text. Does nothing if the text is the same. */
  setText(text: string): void;
  /** Moves the cursor to the offset and scrolls it into view. */
  goTo(offset: number): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly onChange: (text: string) => void;
}

// The shadow root inherits custom properties of the page, so a change of theme needs no update.
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-name)' },
  { tag: tags.string, color: 'var(--json-string)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-literal)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--json-text)', backgroundColor: 'var(--json-background)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--json-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--code-font)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--json-text)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--json-text)' },
  '.cm-gutters': {
    color: 'var(--json-faint)',
    backgroundColor: 'var(--json-background)',
    borderRight: '1px solid var(--json-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--json-active-line)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--json-selection)',
  },
  '.cm-selectionMatch, .cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--json-selection)',
  },
  '.cm-panels': { color: 'var(--json-text)', backgroundColor: 'var(--json-background)' },
  '.cm-foldPlaceholder': { color: 'var(--json-faint)', backgroundColor: 'transparent' },
});

/**
 * Replaces a selection by the typed text. The browser would insert the text with a style attribute, and each such
 * attribute would violate the content security policy.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { main } = view.state.selection;
    if (inputType !== 'insertText' || !data || main.empty || view.composing) return false;
    const { from, to } = main;
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    // A handler of CodeMirror can, for example, insert brackets around the selection.
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** @param host an element that can have a shadow root; the editor gets its height */
export function createEditor(host: HTMLElement, { text, label, onChange }: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    doc: text,
    parent: root,
    root,
    extensions: [
      basicSetup,
      json(),
      syntaxHighlighting(colours),
      theme,
      replaceSelection,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
    ],
  });
  // A child of a shadow root does not take the host's height automatically.
  view.dom.style.height = '100%';
  return {
    setText(next) {
      const { doc } = view.state;
      if (doc.toString() !== next) view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    goTo(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
