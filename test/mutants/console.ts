/** Mutants of the web console and its hosting that the tests in a browser must detect. */
import { type Mutant, mutant } from './mutant.ts';

const BARS = 'test/console/bars.long.ts';
const FIRST_JOB = 'test/console/first-job.long.ts';
const FAILURE = 'test/console/failure.long.ts';
const KEYS = 'test/console/keys.long.ts';
const ROLES = 'test/console/roles.long.ts';
const STATES = 'test/console/states.long.ts';
const TEMPLATE = 'test/console/template.long.ts';
const SERVED = 'test/console/served.long.ts';

export const consoleMutants: readonly Mutant[] = [
  mutant('the output of a job is parsed, and loses digits')
    .replace(
      'console/job/job.ts',
      'output: text.slice(output.start, output.end)',
      'output: JSON.stringify(JSON.parse(text.slice(output.start, output.end)))',
    )
    .killedBy(FIRST_JOB, 'runs the first job'),
  mutant('an example does not change the input')
    .replace('console/playground/examples.tsx', 'if (example) onChoose(', "if (example?.name === '') onChoose(")
    .killedBy(FIRST_JOB, 'from an example of the endpoint'),
  mutant('a stream is read only once')
    .replace(
      'console/job/use-stream.ts',
      'return intervalAfter(query, isMoving ? intervals.runningJob : intervals.quiet);',
      'return intervalAfter(query, isMoving ? 1e6 : 1e6);',
    )
    .killedBy(FIRST_JOB, 'shows a stream while it arrives'),
  mutant('an input that is not JSON is sent')
    .replace(
      'console/pages/playground/page.tsx',
      'if (error) setTarget({ at: error.at });\n    else if',
      'if (error) setTarget({ at: error.at });\n    if',
    )
    .killedBy(FIRST_JOB, 'sends nothing'),
  mutant('a quote ends the shell argument')
    .remove('console/json/literal.ts', ".replaceAll(\"'\", `'\\\\''`)")
    .killedBy(FIRST_JOB, 'as a command that a shell runs'),
  mutant('the error of a job shows only a link to its code')
    .remove('console/job/state.tsx', '{error !== undefined && <ErrorText>{error}</ErrorText>}')
    .killedBy(FAILURE, 'is found from the overview'),
  mutant('a job that timed out cannot be retried')
    .remove('console/job/actions.tsx', " || job?.status === 'TIMED_OUT'")
    .killedBy(FAILURE, 'is retried with its id'),
  mutant('running a job again loses its input')
    .replace('console/job/actions.tsx', '?input-of=', '?input=')
    .killedBy(FAILURE, 'is run again with another input'),
  mutant('the list retries jobs that did not fail')
    .replace(
      'console/pages/endpoint/job-actions.ts',
      "retry: new Set(['FAILED', 'TIMED_OUT']),",
      "retry: new Set(['TIMED_OUT']),",
    )
    .killedBy(FAILURE, 'is retried in the job list, in one action with another failed job'),
  mutant('the command of a key sends the key in another header')
    .replace('console/pages/keys/curl.ts', 'Authorization: Bearer $API_KEY', 'X-Api-Key: $API_KEY')
    .killedBy(KEYS, 'is created, shown once'),
  mutant('a key with chosen operations permits all operations')
    .replace('console/pages/keys/grant.ts', 'operations: draft.operations ?? [EVERY],', 'operations: [EVERY],')
    .killedBy(KEYS, 'permits only its chosen operations'),
  mutant('viewers can cancel jobs')
    .replace('core/operations/table.ts', '"cancel": "operator",', '"cancel": "viewer",')
    .killedBy(ROLES, 'a viewer'),
  mutant('operators can purge the queue')
    .replace('core/operations/table.ts', '"purge-queue": "admin",', '"purge-queue": "operator",')
    .killedBy(ROLES, 'an operator'),
  mutant('a purge does not require the name of the endpoint')
    .replace('console/pages/endpoint/purge-dialog.tsx', 'typed.trim() === id', "typed.trim() === id || typed === ''")
    .killedBy(ROLES, 'an admin'),
  mutant('the sign-in returns to the page without its parameters')
    .replace(
      'console/main.tsx',
      '`${location.pathname}${location.search}` : `${BASE}/`',
      'location.pathname : `${BASE}/`',
    )
    .killedBy(STATES, 'opens its tab after the sign-in'),
  mutant('an unknown job is shown as an error that can be retried')
    .replace('console/job/use-job.ts', 'error.status === 404', 'error.status === 410')
    .killedBy(STATES, 'shows how long jobs are kept'),
  mutant('the search mistakes the id of a job for an endpoint')
    .replace('console/shell/search-target.ts', '{36}$/', '{35}$/')
    .killedBy(STATES, 'by its id only'),
  mutant('the session of the other window is ignored')
    .replace('console/session/again.ts', 'void signIn.adopt(data).then(onSignedIn);', 'onSignedIn();')
    .killedBy(STATES, 'is renewed in another window'),
  mutant('signing out leaves the tokens in the tab')
    .remove(
      'console/session/sign-in.ts',
      "await manager.revokeTokens(['refresh_token']).catch(() => undefined);\n      await manager.removeUser();",
    )
    .killedBy(STATES, 'ends with Sign out'),
  mutant('an offline page continues to poll')
    .replace(
      'console/api/client.ts',
      'if (connection().isOffline && isBrowserOffline())',
      "if (connection().isOffline && method === 'POST')",
    )
    .killedBy(STATES, 'keeps its data while it is offline'),
  mutant('the overview polls every two seconds')
    .replace('console/api/polling.ts', 'endpoint: 5 * SECOND,', 'endpoint: 2 * SECOND,')
    .killedBy(BARS, 'keeps its layout: overview'),
  mutant('the form of a template shows no error at its field')
    .replace('console/pages/template-editor/field.tsx', 'errorText={here}', 'errorText={undefined}')
    .killedBy(TEMPLATE, 'is created with its readme'),
  mutant('the filter of categories shows all templates')
    .replace(
      'console/template/kind.ts',
      'filter.category === undefined || template.category === filter.category',
      'filter.category === undefined || template.category !== undefined',
    )
    .killedBy(TEMPLATE, 'is found by its category'),
  mutant('two pages cache different data of releases under the same key')
    .replace('console/template/queries.ts', "['releases', endpoint, 'newest']", "['releases', endpoint]")
    .killedBy(TEMPLATE, 'leads to the releases'),
  mutant('the comparison shows the current values as the new values')
    .replace('console/template/difference.ts', 'to: shown(field, lines.to) }', 'to: shown(field, lines.from) }')
    .killedBy(TEMPLATE, 'is edited after a comparison'),
  mutant('the progress of a rollout is unknown')
    .replace('console/pages/templates/users-view.tsx', 'endpoints.filter(isUnderWay)', 'endpoints.slice(0, 0)')
    .killedBy(TEMPLATE, 'replaces workers'),
  mutant('a rolled-back release shows no reason')
    .remove('console/template/rollout.ts', '...(release.reason !== undefined && { reason: release.reason }),')
    .killedBy(TEMPLATE, 'is rolled back'),
  mutant('the policy of the console does not require Trusted Types')
    .remove('lib/console/headers.ts', "  'require-trusted-types-for': \"'script'\",\n")
    .killedBy(SERVED, 'with the headers of the deployment'),
  mutant('a path of the console with a dot returns a file')
    .replace(
      'lib/front-door/open-page.js',
      "if (!request.uri.startsWith('/console/assets/')",
      "if (!request.uri.includes('.')",
    )
    .killedBy(SERVED, 'answers every path of a page'),
  mutant('browsers can cache the sign-in configuration')
    .replace('lambda/console/upload.ts', "cacheControl: 'no-cache',", "cacheControl: 'max-age=3600',")
    .killedBy(SERVED, 'names the sign-in pages'),
  mutant('the path without a slash shows the page')
    .replace('lib/front-door/open-page.js', "request.uri === '/console')", "request.uri === '/console.')")
    .killedBy(SERVED, 'without a slash'),
  mutant('an unknown path returns success without a body')
    .replace('lib/front-door/no-interface.js', 'statusCode: 404,', 'statusCode: 200,')
    .killedBy(SERVED, 'leaves errors of the interfaces'),
  mutant('a missing file returns the page')
    .replace('lib/front-door/open-page.js', "'/console/assets/')", "'/console/assets/index')")
    .killedBy(SERVED, 'refuses a file'),
  mutant('the page at the root has no link to the console')
    .replace('local/serve/serve.ts', 'console: consoleOf(product, cloud),', 'console: undefined,')
    .killedBy(SERVED, 'at the root'),
  mutant('the header shows no user')
    .replace('console/shell/header.tsx', "{session?.user ?? 'Account'}", 'Account')
    .killedBy(SERVED, 'show the signed-in user'),
  mutant('the page loads a resource from another host')
    .replace(
      'console/main.tsx',
      'applyTheme();\n',
      "applyTheme();\nvoid fetch('https://elsewhere.example/').catch(() => undefined);\n",
    )
    .killedBy(SERVED, 'load nothing from elsewhere'),
  mutant('an address without a page shows nothing')
    .replace('console/shell/app.tsx', '<Route component={NotFound} />', '{NotFound.name}')
    .killedBy(SERVED, 'show that an address is unknown'),
  mutant('a hidden tab continues to poll')
    .replace('console/shell/app.tsx', 'refetchIntervalInBackground: false,', 'refetchIntervalInBackground: true,')
    .killedBy(SERVED, 'while they are hidden'),
  mutant('the policy allows every script')
    .replace(
      'lib/console/headers.ts',
      '  Object.entries(directives(signIn))\n    .map(',
      "  Object.entries({ ...directives(signIn), 'script-src': \"'self' 'unsafe-inline'\", 'require-trusted-types-for': '' })\n    .map(",
    )
    .killedBy(SERVED, 'refuse injected scripts'),
];
