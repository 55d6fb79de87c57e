/** Makes VitePress read Markdown like GitHub: documents contain no Vue templates, and only some elements of HTML. */
import { relative } from 'node:path';
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress';
import { targetOf } from './links.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];
type CodeTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number];

/** The elements that documents can contain. */
const ELEMENTS = /^(br|details|img|kbd|picture|source|sub|summary|sup)$/;

/**
 * Escapes all other tags: a placeholder such as `<id>` outside code would otherwise be an element without an end, which
 * stops the build.
 */
export const withoutOtherTags = (html: string): string =>
  html.replaceAll(/<(\/?)([a-z][^\s/>]*)([^>]*)>/gi, (tag, end: string, name: string, rest: string) =>
    ELEMENTS.test(name) ? tag : `&lt;${end}${name}${rest}&gt;`,
  );

/** Begins paths of pictures with `./`: VitePress would take `docs/diagrams/front-door.svg` for a path on the site. */
const withRelativePictures = (html: string) =>
  html.replaceAll(/(\s(?:src|srcset)=")(?![./]|[a-z]+:)/g, (_, start: string) => `${start}./`);

/** Where VitePress keeps the path of a page on the site, and that of its file. Titles alone have neither. */
export interface Environment {
  readonly path?: string;
  readonly realPath?: string;
}

/** Returns the path of the document that is rendered. */
export const sourceOf = ({ path = '', realPath = path }: Environment): string => relative(process.cwd(), realPath);

/** Gives each link its target on the site. A link to a file that the site cannot show becomes text with the path. */
function place(tokens: readonly Token[], page: string, repository: string | undefined): void {
  for (const [index, token] of tokens.entries()) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null) continue;
    const target = targetOf(page, href, repository);
    if (target !== undefined) {
      token.attrSet('href', target);
      continue;
    }
    const end = tokens.slice(index).find(({ type }) => type === 'link_close');
    Object.assign(token, { tag: 'span', attrs: [['title', href.replace(/^(\.\.?\/)+/, '')]] });
    Object.assign(end ?? {}, { tag: 'span' });
  }
}

export function readLikeGitHub(markdown: MarkdownRenderer, repository: string | undefined): void {
  markdown.disable('emoji');
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) place(children, sourceOf(env as Environment), repository);
  });
  const plain = (tokens: Token[], index: number) =>
    withRelativePictures(withoutOtherTags(tokens[index]?.content ?? ''));
  markdown.renderer.rules.html_inline = plain;
  markdown.renderer.rules.html_block = plain;
  const { render } = markdown;
  // `v-pre` makes `{{ }}` text for Vue, everywhere on the page.
  markdown.render = (source, env) => `<div v-pre>${render.call(markdown, source, env)}</div>`;
}

/**
 * Highlights each line of code to its end. Shiki otherwise leaves the rest of a line that has taken 500 ms without
 * colors, so that a page built on a busy machine would differ from one built on a quiet machine.
 */
export const highlightWithoutTimeLimit: CodeTransformer = {
  preprocess(_code, options) {
    options.tokenizeTimeLimit = 0;
  },
};
