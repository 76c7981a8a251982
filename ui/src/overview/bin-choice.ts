/** Which bin of a chart a person looks at: by pointing, by tapping, or with the arrow keys. */
import type { KeyboardEvent, PointerEvent } from 'react';
import { useState } from 'react';

export interface ChosenBin {
  readonly index: number;
  /** The position of the note about it, in the window. */
  readonly x: number;
  readonly y: number;
}

export function useBinChoice(count: number) {
  const [chosen, setChosen] = useState<ChosenBin>();
  const point = ({ currentTarget, clientX, clientY }: PointerEvent<Element>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * count);
    setChosen({ index: Math.max(0, Math.min(count - 1, index)), x: clientX, y: clientY });
  };
  const onKeyDown = (event: KeyboardEvent<Element>) => {
    if (event.key === 'Escape') return setChosen(undefined);
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0 || count === 0) return;
    event.preventDefault();
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const index = Math.max(0, Math.min(count - 1, (chosen?.index ?? count) + by));
    setChosen({ index, x: left + ((index + 0.5) / count) * width, y: top + height / 2 });
  };
  const leave = () => setChosen(undefined);
  return {
    chosen: chosen !== undefined && chosen.index < count ? chosen : undefined,
    handlers: {
      tabIndex: 0,
      onPointerMove: point,
      onPointerDown: point,
      // A finger leaves when it is lifted; what it asked for stays until it taps elsewhere.
      onPointerLeave: ({ pointerType }: PointerEvent<Element>) => pointerType !== 'touch' && leave(),
      onKeyDown,
      onBlur: leave,
    },
  };
}
