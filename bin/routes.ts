/** The first step of `npm run generate`: generates the table of the routes from the records of the operations. */
import { runGenerator } from './pages/generator.ts';
import { routeTable } from './pages/route-table.ts';

runGenerator({ command: 'generate', files: { 'core/operations/table.ts': routeTable } }, process.argv.slice(2));
