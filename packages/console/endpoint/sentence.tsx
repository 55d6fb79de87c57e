/** Shows a sentence from the service with its times in the user's time zone. */
import { Fragment } from 'react';
import { Time } from '../shell/time.tsx';
import { piecesOf } from './sentence-times.ts';

export const Sentence = ({ text }: { readonly text: string }) =>
  piecesOf(text).map((piece, index) => (
    <Fragment key={index}>{piece.isTime ? <Time at={piece.text} /> : piece.text}</Fragment>
  ));
