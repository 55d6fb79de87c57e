/**
 * Shows the images, sounds and videos of an output from the tab's memory. The files have no address outside the
 * page.
 */
import './job.css';
import Button from '@cloudscape-design/components/button';
import { useEffect, useState } from 'react';
import { stringOf } from '../json/display.ts';
import { ASKED_FROM } from '../json/json-view.tsx';
import { save } from '../json/save.ts';
import { bytes } from '../units.ts';
import type { FoundMedia } from './find-media.ts';
import { endingOf, type MediaType, mediaBytes } from './media.ts';

interface Props {
  readonly media: FoundMedia;
  /** Text that contains the file. */
  readonly text: string;
}

function Player({
  type,
  address,
  name,
}: {
  readonly type: MediaType;
  readonly address: string;
  readonly name: string;
}) {
  const [isBroken, setBroken] = useState(false);
  const onError = () => setBroken(true);
  if (isBroken) return <span>The browser cannot show this file.</span>;
  if (type.startsWith('image/')) return <img src={address} alt={`Output ${name}`} onError={onError} />;
  if (type.startsWith('audio/'))
    // biome-ignore lint/a11y/useMediaCaption: the output of a worker has no captions
    return <audio src={address} controls aria-label={`Output ${name}`} onError={onError} />;
  // biome-ignore lint/a11y/useMediaCaption: the output of a worker has no captions
  return <video src={address} controls aria-label={`Output ${name}`} onError={onError} />;
}

/** Returns the file's address in this tab; undefined until the text is decoded, null if it is not base64. */
function useAddress({ text, media: { start, end, type } }: Props, isWanted: boolean): string | null | undefined {
  const [address, setAddress] = useState<string | null>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let made: string | null = null;
    try {
      made = URL.createObjectURL(new Blob([mediaBytes(stringOf(text.slice(start, end)) ?? '')], { type }));
    } catch {
      // Only the beginning of the text is base64.
    }
    setAddress(made);
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [text, start, end, type, isWanted]);
  return address;
}

export function MediaFile(props: Props) {
  const { media, text } = props;
  const { start, end, type, path } = media;
  const [isAsked, setAsked] = useState(end - start <= ASKED_FROM);
  const address = useAddress(props, isAsked);
  const name = path || 'output';
  const size = bytes(Math.round(((end - start) * 3) / 4));
  return (
    <figure className="media">
      <figcaption className="media-caption">
        <strong>{name}</strong>
        <span className="json-faint">
          {type}, {size}
        </span>
        <Button
          variant="inline-link"
          ariaLabel={`Download ${name}`}
          onClick={() => save(`${name}.${endingOf(type)}`, mediaBytes(stringOf(text.slice(start, end)) ?? ''), type)}
        >
          Download
        </Button>
      </figcaption>
      <div className={`media-frame${type.startsWith('audio/') ? ' media-frame-sound' : ''}`}>
        {!isAsked && <Button onClick={() => setAsked(true)}>Show {size}</Button>}
        {address === null && <span>The file is damaged: its base64 is invalid.</span>}
        {typeof address === 'string' && <Player type={type} address={address} name={name} />}
      </div>
    </figure>
  );
}
