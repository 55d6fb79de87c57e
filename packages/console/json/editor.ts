/**
 * Creates a CodeMirror editor in a shadow root. There its styles are constructed style sheets, which the content
 * security policy allows. In the document they would be style elements, which the policy refuses.
 */
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { openSearchPanel, search } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { Decoration, type DecorationSet, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';

export interface Editor {
  /** Replaces the text. Does nothing if the text is the same. */
  setText(text: string): void;
  /** Moves the cursor to the offset and scrolls it into view. */
  goTo(offset: number): void;
  /** Opens the search, and moves the focus to it. */
  search(): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  readonly label: string;
  /** @default - the text can be read and searched, but not changed */
  readonly onChange?: (text: string) => void;
}

// The shadow root inherits custom properties of the page, so a change of theme needs no update.
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-name)' },
  // A text of another direction does not reorder what follows it.
  { tag: tags.string, color: 'var(--json-string)', unicodeBidi: 'isolate' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-literal)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--json-text)', backgroundColor: 'var(--json-background)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--json-focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--code-font)', lineHeight: '22px' },
  '.cm-content': { caretColor: 'var(--json-text)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--json-text)' },
  '.cm-gutters': {
    color: 'var(--json-faint)',
    backgroundColor: 'var(--json-background)',
    borderRight: '1px solid var(--json-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused :is(.cm-activeLine, .cm-activeLineGutter)': { backgroundColor: 'var(--json-active-line)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--json-selection)',
  },
  '.cm-selectionMatch, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--json-selection)',
  },
  '.cm-panels': { color: 'var(--json-text)', backgroundColor: 'var(--json-background)', zIndex: 1 },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--json-line)' },
  '.cm-panel.cm-search': { fontSize: '14px' },
  '.cm-search :is(.cm-textfield, .cm-button)': {
    color: 'inherit',
    background: 'transparent',
    border: '1px solid var(--json-faint)',
    borderRadius: '4px',
  },
  '.cm-search :focus-visible': { outline: '2px solid var(--json-focus)' },
  '.cm-searchMatch': { color: 'var(--json-mark-text)', backgroundColor: 'var(--json-mark)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--json-focus)' },
  '.cm-searchMatch span': { color: 'inherit' },
  '.cm-line a': { color: 'var(--json-focus)' },
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

const addresses = new MatchDecorator({
  regexp: /(?<=")https?:\/\/[^\s"\\<>]{3,2000}(?=")/g,
  decoration: ([href]) =>
    Decoration.mark({ tagName: 'a', attributes: { href, target: '_blank', rel: 'noreferrer noopener' } }),
});

/** Makes strings that are only an address links. */
const links = ViewPlugin.fromClass(
  class {
    shown: DecorationSet;
    constructor(view: EditorView) {
      this.shown = addresses.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.shown = addresses.updateDeco(update, this.shown);
    }
  },
  { decorations: ({ shown }) => shown },
);

/** The keyboard reaches a text that cannot be changed, and moves and folds in it. */
const readOnly = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }),
  search({ top: true }),
  links,
];

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
      onChange ? replaceSelection : readOnly,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange?.(state.doc.toString());
      }),
    ],
  });
  // A child of a shadow root does not take the host's height automatically.
  if (onChange) view.dom.style.height = '100%';
  else view.dom.style.maxHeight = '520px';
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
    search: () => void openSearchPanel(view),
    close: () => view.destroy(),
  };
}
