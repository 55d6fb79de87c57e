/** What is not seen, such as a space of no width, does not tell names apart. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** By which names are unique: neither case nor the way in which Unicode writes a letter makes another name. */
export const nameKeyOf = (name: string): string =>
  name.normalize('NFKC').replace(UNSEEN, '').toUpperCase().toLowerCase().normalize('NFKC').trim();
