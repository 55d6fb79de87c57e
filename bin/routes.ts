/** The first step of `npm run generate`: generates the lists of operations from their records. */
import { runGenerator } from './pages/generator.ts';
import { consoleOperations, metricsPage } from './pages/operation-lists.ts';
import { routeTable } from './pages/route-table.ts';

const METRICS = 'docs/reference/metrics.md';

runGenerator(
  {
    command: 'generate',
    files: {
      'core/operations/table.ts': routeTable,
      'packages/console/api/operations.ts': consoleOperations,
      [METRICS]: () => metricsPage(METRICS),
    },
  },
  process.argv.slice(2),
);
