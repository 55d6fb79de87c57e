/** The first step of `npm run generate`: generates the lists of operations from their records. */

import { consoleOperations } from './pages/console-operations.ts';
import { runGenerator } from './pages/generator.ts';
import { routeTable } from './pages/route-table.ts';

runGenerator(
  {
    command: 'generate',
    files: {
      'core/operations/table.ts': routeTable,
      'packages/console/api/operations.ts': consoleOperations,
    },
  },
  process.argv.slice(2),
);
