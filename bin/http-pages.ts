/** `npm run generate`: generates the pages of both HTTP interfaces from their OpenAPI documents. */
import { runGenerator } from './pages/generator.ts';
import { httpPages } from './pages/http-pages.ts';

runGenerator({ command: 'generate', files: httpPages }, process.argv.slice(2));
