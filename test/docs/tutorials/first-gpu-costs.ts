/** The costs of `docs/tutorials/first-gpu-model.md`: those of examples/vllm, and a total. */
import type { Template } from '../../../bin/assembly/app.ts';
import { HOURS_PER_MONTH } from '../../../bin/cost/charge.ts';
import { dollars } from '../../../bin/pages/aligned-table.ts';
import { readPools } from '../../../lib/capacity/pool-declaration.ts';
import { readDeclarations } from '../../../lib/endpoints/declaration.ts';
import { readTemplates } from '../../../lib/templates/declaration.ts';
import { bill } from '../../bin/cost/small-stacks.ts';
import { type CostRow, costRows, ofFirstStart, ofImage, ofVolumeMonth, vllm } from '../../examples/gpu-costs.ts';
import { synthesizeWith } from '../../lib/synthesis.ts';
import { declared } from '../../support/declared.ts';

const EXAMPLE = 'examples/vllm';
/** Hours from the deployment to the removal, in which one worker always runs. */
const HOURS = 2;

/** Prices the repository after the first step of the tutorial. */
function tutorialBill() {
  const roots = [declared, EXAMPLE];
  const [endpoints, pools] = [
    roots.flatMap((root) => readDeclarations(root)),
    roots.flatMap((root) => readPools(root)),
  ];
  const stacks = Object.entries(synthesizeWith({}, endpoints, pools, readTemplates(declared)));
  return bill(Object.fromEntries(stacks.map(([name, { text }]) => [name, JSON.parse(text) as Template])));
}

/** Returns the rows of the page. The total has the dearest instance type, one pull of the image, and the first start. */
export function tutorialCosts(): CostRow[] {
  const { image, model } = vllm;
  const [pool] = readPools(EXAMPLE);
  const { standingTotal, workers, unpriced } = tutorialBill();
  const { hour = Number.NaN, disk = Number.NaN } = workers.find(({ endpoint }) => endpoint === 'llm') ?? {};
  if (unpriced.length > 0) throw new Error(unpriced.join('\n'));
  const standing = (standingTotal * HOURS) / HOURS_PER_MONTH;
  const stored = (ofVolumeMonth(model) * HOURS) / HOURS_PER_MONTH;
  const total = standing + (hour + disk) * HOURS + ofImage(image) + ofFirstStart(model) + stored;
  return [
    ...costRows(pool?.instanceTypes ?? [], vllm),
    [`${HOURS} hours of the disk of an instance`, dollars(disk * HOURS)],
    [`${HOURS} hours of the standing costs`, dollars(standing)],
    [`**total of ${HOURS} hours that end in removal, at most**`, dollars(total)],
  ];
}
