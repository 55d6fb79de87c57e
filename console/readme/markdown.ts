/** Turns Markdown into HTML. HTML in the Markdown stays text: `clean.ts` is the second lock, not the first. */
import MarkdownIt, { type Token } from 'markdown-it';

/** Headings of a readme are below the page's title and the heading of their box. */
const HEADINGS_ABOVE = 2;
const LEAST_HEADING = 6;

const headings = new Set(['heading_open', 'heading_close']);
const cells = new Set(['th_open', 'td_open']);

function lowered({ tag }: Token): string {
  return `h${Math.min(LEAST_HEADING, Number(tag.slice(1)) + HEADINGS_ABOVE)}`;
}

/** The content security policy refuses `style`, which markdown-it aligns the cells of a table by. */
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

/** @param text untrusted Markdown @returns HTML that is not yet safe to show */
export const htmlOf = (text: string): string => markdown.render(text);
