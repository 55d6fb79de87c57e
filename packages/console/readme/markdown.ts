/** Converts Markdown to HTML. HTML in the Markdown is kept as text, so `clean.ts` is a second line of defense. */
import MarkdownIt, { type Token } from 'markdown-it';

/** Number of heading levels above a readme: the title of the page and the heading above the readme. */
const HEADINGS_ABOVE = 2;
const MAX_HEADING_LEVEL = 6;

const headings = new Set(['heading_open', 'heading_close']);
const cells = new Set(['th_open', 'td_open']);

function lowered({ tag }: Token): string {
  return `h${Math.min(MAX_HEADING_LEVEL, Number(tag.slice(1)) + HEADINGS_ABOVE)}`;
}

/** Aligns table cells by attribute: markdown-it uses `style`, which the content security policy refuses. */
function alignByAttribute(token: Token): void {
  const side = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style')))?.[1];
  token.attrs = side === undefined ? null : [['align', side]];
}

const markdown = new MarkdownIt({ html: false, linkify: true });

markdown.core.ruler.push('console', ({ tokens }) => {
  for (const token of tokens) {
    if (headings.has(token.type)) token.tag = lowered(token);
    if (cells.has(token.type)) alignByAttribute(token);
  }
});

/**
 * @param text untrusted Markdown
 * @returns HTML that is not yet safe to show
 */
export const htmlOf = (text: string): string => markdown.render(text);
