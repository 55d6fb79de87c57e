/**
 * `npx node bin/release-notes.ts TAG`: prints the section of CHANGELOG.md for the version of a tag, as the notes of a release
 * on GitHub. Reads the files of the working directory. Exits with 1 if the tag is not the version of package.json, if the
 * version has no section with a date, or if the recorded items do not have the version as name.
 */
import { existsSync, readFileSync } from 'node:fs';

/**
 * Returns the section of a version, without its heading.
 * @throws Error if the changelog has no section with a date for this version, or if the section is empty
 */
function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## (?=\[)/m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".`);
  const [heading = '', ...lines] = section.split('\n');
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}$/.test(heading))
    throw new Error(`CHANGELOG.md has the heading "## ${heading}"; it must be "## [${version}] - YYYY-MM-DD".`);
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`CHANGELOG.md has nothing in the section of ${version}.`);
  return text;
}

/** Returns the text with links to files of the repository at the tag, because a release is no file of it. */
const withAddresses = (text: string, repository: string, tag: string) =>
  text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${repository}/blob/${tag}/$1)`);

/** The recording of items that `RECORD_ITEMS=true npm test -- test/stored-items/shape` replaces (docs/adr/0016). A released one has to stay. */
const UNRELEASED = 'test/stored-items/recorded/unreleased.json';

/**
 * Returns the notes of the release.
 * @throws Error if the tag is not the version of package.json
 */
function notesOf(tag: string | undefined): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  if (tag !== `v${version}`) throw new Error(`The tag must be v${version}, the version of package.json, got ${tag}.`);
  if (existsSync(UNRELEASED))
    throw new Error(`${UNRELEASED} must have the version as name: rename it to ${version}.json.`);
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const text = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version);
  return GITHUB_REPOSITORY ? withAddresses(text, `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, tag) : text;
}

try {
  console.log(notesOf(process.argv[2]));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
