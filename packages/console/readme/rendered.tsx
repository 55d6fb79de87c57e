/** Shows a readme, rendered from its Markdown. */
import './readme.css';
import TextContent from '@cloudscape-design/components/text-content';
import { useLayoutEffect, useRef } from 'react';
import { clean } from './clean.ts';
import { htmlOf } from './markdown.ts';

export default function Rendered({ text }: { readonly text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(clean(htmlOf(text)));
  }, [text]);
  return (
    <TextContent>
      <div ref={place} className="readme" />
    </TextContent>
  );
}
