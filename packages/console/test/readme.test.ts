/** Tests of converting a readme's Markdown to HTML, before DOMPurify cleans it. */
import { describe, expect, it } from '@jest/globals';
import { htmlOf } from '../readme/markdown.ts';

describe('the Markdown of a readme', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick=alert(1)>b</b>',
    '<svg/onload=alert(1)>',
    '<!-- a -->',
  ])('keeps the HTML %s as text', (text) => {
    expect(htmlOf(text).replace(/<\/?p>/g, '')).not.toMatch(/</);
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'data:text/html,x', 'file:///etc/passwd'])(
    'creates no link to %s',
    (address) => {
      expect(htmlOf(`[a](${address})`)).not.toContain('href');
    },
  );

  it('creates links to web pages, also for plain addresses', () => {
    expect(htmlOf('[a](https://example.com) and https://example.org/b')).toBe(
      '<p><a href="https://example.com">a</a> and <a href="https://example.org/b">https://example.org/b</a></p>\n',
    );
  });

  it('lowers headings below those of the page', () => {
    expect(htmlOf('# A\n\n#### B\n\n###### C')).toBe('<h3>A</h3>\n<h6>B</h6>\n<h6>C</h6>\n');
  });

  it('aligns the cells of a table without styles', () => {
    const html = htmlOf('| a | b |\n|---|--:|\n| 1 | 2 |');
    expect(html).toContain('<th align="right">b</th>');
    expect(html).toContain('<td>1</td>');
    expect(html).not.toContain('style');
  });
});
