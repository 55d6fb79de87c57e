/**
 * Shows the images, sounds and videos of an output from the tab's memory. The files have no address outside the
 * page.
 */
import './job.css';
import Button from '@cloudscape-design/components/button';
import { useEffect, useState } from 'react';
import { ASKED_FROM } from '../json/json-view.tsx';
import { save } from '../json/save.ts';
import { read } from '../reading/read.ts';
import { useRead } from '../reading/use-read.ts';
import { bytes } from '../units.ts';
import type { FoundMedia } from './find-media.ts';
import { endingOf, type MediaType } from './media.ts';

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

/** Returns the file's address in this tab; undefined until the file is read, null if it is damaged. */
function useAddress(file: Blob | null | undefined): string | null | undefined {
  const [address, setAddress] = useState<string | null>();
  useEffect(() => {
    const made = file && URL.createObjectURL(file);
    setAddress(made);
    return () => {
      if (made) URL.revokeObjectURL(made);
    };
  }, [file]);
  return address;
}

export function MediaFile({ media, text }: Props) {
  const { start, end, type, path } = media;
  const [isAsked, setAsked] = useState(end - start <= ASKED_FROM);
  const { value: file, error } = useRead('file', isAsked ? text : undefined, media);
  const address = useAddress(file);
  const name = path || 'output';
  const size = bytes(Math.round(((end - start) * 3) / 4));

  async function download(): Promise<void> {
    const wanted = file ?? (await read('file', text, media));
    if (wanted) save(`${name}.${endingOf(type)}`, wanted, type);
    // The place of the file says that it is damaged.
    else setAsked(true);
  }

  return (
    <figure className="media">
      <figcaption className="media-caption">
        <strong>{name}</strong>
        <span className="json-faint">
          {type}, {size}
        </span>
        <Button variant="inline-link" ariaLabel={`Download ${name}`} onClick={() => void download()}>
          Download
        </Button>
      </figcaption>
      <div className={`media-frame${type.startsWith('audio/') ? ' media-frame-sound' : ''}`}>
        {!isAsked && <Button onClick={() => setAsked(true)}>Show {size}</Button>}
        {isAsked && file === undefined && !error && <span>Reading {size}</span>}
        {error !== undefined && <span>{String(error)}</span>}
        {address === null && <span>The file is damaged: its base64 is invalid.</span>}
        {typeof address === 'string' && <Player type={type} address={address} name={name} />}
      </div>
    </figure>
  );
}
