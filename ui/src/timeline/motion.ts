/**
 * The view while it moves. A gesture moves it many times a second: the drawing listens and draws once per frame, without a
 * render. The rest of the page gets the view when the motion stops, and at once when the view leaves the loaded range.
 */
import { useEffect, useState } from 'react';
import type { View } from './view.ts';

/** A gesture has ended when the view has not moved for this long. */
const restMs = 120;

export class Motion {
  #view: View = { from: 0, to: 1 };
  #isMoving = false;
  #frame: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  #show: (view: View) => void = () => {};
  #needsMore: (view: View) => boolean = () => false;

  get view(): View {
    return this.#view;
  }

  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Called after each render with its view. During a gesture the gesture's view is kept. */
  rendered(view: View, show: (view: View) => void, needsMore: (view: View) => boolean): void {
    if (!this.#isMoving) this.#view = view;
    this.#show = show;
    this.#needsMore = needsMore;
  }

  move(view: View): void {
    this.#view = view;
    this.#isMoving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.stop();
      this.#show(this.#view);
    }, restMs);
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  /** Ends the gesture where it is. */
  stop(): void {
    this.#isMoving = false;
    clearTimeout(this.#rest);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  onFrame(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #draw(): void {
    this.#frame = undefined;
    for (const listener of this.#listeners) listener();
    if (this.#needsMore(this.#view)) this.#show(this.#view);
  }
}

/** The motion of a view that a component renders. */
export function useMotion(
  view: View,
  show: (view: View) => void,
  needsMore: (view: View) => boolean,
): Motion {
  const [motion] = useState(() => new Motion());
  motion.rendered(view, show, needsMore);
  useEffect(() => () => motion.stop(), [motion]);
  return motion;
}
