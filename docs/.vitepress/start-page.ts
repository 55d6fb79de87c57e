/**
 * The start page: `docs/README.md` below a head with the name, the description and the first commands. All texts are those
 * of `package.json` and of the README.
 */
import { readFileSync } from 'node:fs';
import type { MarkdownRenderer } from 'vitepress';
import { anchorOf } from './anchor.ts';
import { type Environment, sourceOf } from './markdown.ts';
import { type Group, sectionsOf } from './navigation.ts';
import { START } from './pages.ts';

/** Matches the picture of the README, and its commands until a job has a result. */
const EXCERPT = /^!\[[^\n]+\n\n## .*?^```sh\n.*?^```\n.*?^```sh\n.*?^```\n/ms;

/** Returns the text of the start page: the excerpt of the README instead of the heading. */
export function withExcerpt(text: string, readme: string): string {
  const [excerpt] = EXCERPT.exec(readme) ?? [];
  if (excerpt === undefined) throw new Error('README.md must contain a picture, a heading and two blocks of commands.');
  return text.replace(/^# .+\n/, () => excerpt.replaceAll('](docs/', ']('));
}

/** Puts each section of the start page into an element, which the theme shows as a card. */
export function extendStartPage(markdown: MarkdownRenderer): void {
  const isStart = (env: unknown) => sourceOf(env as Environment) === START;
  markdown.core.ruler.before('normalize', 'excerpt', (state) => {
    if (isStart(state.env)) state.src = withExcerpt(state.src, readFileSync('README.md', 'utf8'));
  });
  markdown.core.ruler.push('cards', (state) => {
    const begins = state.tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h2');
    if (!isStart(state.env) || begins < 0) return;
    const element = (type: string, tag: string, nesting: -1 | 1) => new state.Token(type, tag, nesting);
    const cards = state.tokens
      .slice(begins)
      .flatMap((token) =>
        token.type === 'heading_open' && token.tag === 'h2'
          ? [element('card_close', 'section', -1), element('card_open', 'section', 1), token]
          : [token],
      );
    const opening = Object.assign(element('cards_open', 'div', 1), { attrs: [['class', 'cards']] });
    state.tokens = [
      ...state.tokens.slice(0, begins),
      opening,
      ...cards.slice(1),
      element('card_close', 'section', -1),
      element('cards_close', 'div', -1),
    ];
  });
}

/** Returns the front matter of the start page. Its buttons lead to the first tutorial, and to the first three readers. */
export function startPage(name: string, description: string, [tutorials]: readonly Group[]) {
  const first = tutorials?.items[0];
  const [text = '', tagline = ''] = description.split(/: ?/);
  const [, ...readers] = sectionsOf(START).map(({ heading }) => heading);
  return {
    layout: 'home',
    hero: {
      name,
      text,
      tagline: tagline.replace(/^./, (letter) => letter.toUpperCase()),
      actions: [
        ...(first ? [{ theme: 'brand', text: first.text, link: first.link }] : []),
        ...readers.slice(0, 3).map((heading) => ({ theme: 'alt', text: heading, link: `#${anchorOf(heading)}` })),
      ],
    },
  };
}
