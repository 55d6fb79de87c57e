/** Shows any number of lines. Only the lines in view are in the document. */
import './json.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { seen } from './display.ts';

interface Props {
  readonly lines: readonly string[];
  /** Label of the text for screen readers. */
  readonly label: string;
  /** Whether the view follows added lines while the reader is at the end. */
  readonly follows?: boolean;
  /** Pixels. */
  readonly height?: number;
}

const LINE = 22;

/** Distance in pixels from the end within which the reader counts as at the end. */
const NEAR = 2 * LINE;

export function TextView({ lines, label, follows = false, height }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 10,
  });

  const count = lines.length;
  useEffect(() => {
    if (follows && isAtEnd.current && count > 0) virtualizer.scrollToIndex(count - 1, { align: 'end' });
  }, [follows, count, virtualizer]);

  return (
    <section
      ref={scroller}
      className="json-scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      style={height === undefined ? {} : { blockSize: height }}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - NEAR;
      }}
    >
      <div className="json-rows" style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={virtualizer.measureElement}
            data-index={index}
            className="text-line"
            style={{ transform: `translateY(${start}px)` }}
          >
            {seen(lines[index] ?? '')}
          </div>
        ))}
      </div>
    </section>
  );
}
