/** The name of a container image, which breaks at its parts. */
import { Fragment } from 'react';

export const Image = ({ name }: { readonly name: string }) =>
  name.split(/(?<=[/:@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
