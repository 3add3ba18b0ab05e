interface Point {
  readonly x: number;
  readonly y: number;
}

const HOVER_MS = 300;
const SWIPE_DISTANCE = 60;
const END_MARGIN = 60;

/** Calls `onRest` where the mouse rests on text that a model wrote, and where it or a finger presses a token. */
export function watchHover(element: HTMLElement, onRest: (at: Point) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOn = (event: Event, name: string) =>
    event.composedPath().some((each) => each instanceof Element && each.classList.contains(name));
  const onMove = (event: PointerEvent) => {
    clearTimeout(timer);
    if (event.pointerType !== 'mouse' || event.buttons !== 0 || !(isOn(event, 'by') || isOn(event, 'person'))) return;
    timer = setTimeout(() => onRest({ x: event.clientX, y: event.clientY }), HOVER_MS);
  };
  const onLeave = () => clearTimeout(timer);
  const onClick = (event: MouseEvent) => {
    if (isOn(event, 'tok')) onRest({ x: event.clientX, y: event.clientY });
  };
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerleave', onLeave);
  element.addEventListener('click', onClick);
  return () => {
    clearTimeout(timer);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerleave', onLeave);
    element.removeEventListener('click', onClick);
  };
}

/** Calls `onSwipe` when a finger moves sideways over the text: 1 to the left, -1 to the right. */
export function watchSwipe(element: HTMLElement, onSwipe: (x: number, y: number, step: number) => void): () => void {
  let from: Point | undefined;
  const onDown = (event: PointerEvent) => {
    const isOnText = event
      .composedPath()
      .some((each) => each instanceof Element && each.classList.contains('cm-content'));
    from = event.pointerType === 'touch' && isOnText ? { x: event.clientX, y: event.clientY } : undefined;
  };
  const onUp = ({ clientX, clientY }: PointerEvent) => {
    if (!from) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (Math.abs(x) > SWIPE_DISTANCE && Math.abs(x) > 2 * Math.abs(y)) onSwipe(from.x, from.y, -Math.sign(x));
    from = undefined;
  };
  const onCancel = () => {
    from = undefined;
  };
  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onCancel);
  return () => {
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onCancel);
  };
}

/** Keeps the end in view while text and shelf grow, for a reader who is there; whoever scrolled up is not moved. */
export function followEnd(scroller: HTMLElement, growing: readonly HTMLElement[], isWanted: () => boolean): () => void {
  let isFollowing = true;
  const onScroll = () => {
    isFollowing = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_MARGIN;
  };
  const observer = new ResizeObserver(() => {
    if (isFollowing && isWanted()) scroller.scrollTop = scroller.scrollHeight;
  });
  for (const each of growing) observer.observe(each);
  scroller.addEventListener('scroll', onScroll, { passive: true });
  return () => {
    observer.disconnect();
    scroller.removeEventListener('scroll', onScroll);
  };
}
