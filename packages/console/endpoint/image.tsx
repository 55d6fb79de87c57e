/** Shows the name of a container image. A line can break between the parts of the name. */
import { Fragment } from 'react';

export const Image = ({ name }: { readonly name: string }) =>
  name.split(/(?<=[/:@])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
