const NOTCH_DELTA = 40;
const NOTCH_MS = 90;

/** Turns the mouse wheel into steps, one notch at a time, so that a strong scroll skips nothing and loses nothing. */
export function listenToNotches(element: HTMLElement, onStep: (step: number) => void): () => void {
  let scrollDelta = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const notch = () => {
    timer = undefined;
    if (Math.abs(scrollDelta) < NOTCH_DELTA) return;
    onStep(Math.sign(scrollDelta));
    scrollDelta = 0;
    timer = setTimeout(notch, NOTCH_MS);
  };
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    scrollDelta += event.deltaY || event.deltaX;
    if (timer === undefined) notch();
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  return () => {
    clearTimeout(timer);
    element.removeEventListener('wheel', onWheel);
  };
}
