/** `npm run generate`: generates the props of endpoints and pools from the schemas of their files. */
import { runGenerator } from './pages/generator.ts';
import { propsFiles } from './pages/props.ts';

runGenerator({ command: 'generate', files: propsFiles }, process.argv.slice(2));
