let uses = 0;

export function countUses(): number {
  uses += 1;
  return uses;
}
