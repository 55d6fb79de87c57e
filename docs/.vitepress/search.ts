import type { DefaultTheme } from 'vitepress';

type SearchOptions = NonNullable<NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>['searchOptions']>;

/**
 * Ranks the results of the search by the kind of their page. A reader who searches wants to do something, so tutorials and
 * guides come first. Decision records and the changelog have short sections with many headings, which would otherwise
 * come before the pages that explain the same word.
 *
 * VitePress sends the text of this function to the browser, so the function cannot refer to anything outside of it.
 * @param id path of the page with the heading, such as `/guides/deploy.html#step-5-deploy`
 */
export const boostDocument: NonNullable<SearchOptions['boostDocument']> = (id) => {
  if (/\/(?:tutorials|guides)\//.test(id)) return 2;
  return /\/adr\/|\/changelog\.html/.test(id) ? 0.1 : 1;
};
