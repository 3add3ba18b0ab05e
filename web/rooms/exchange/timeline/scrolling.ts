import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { RoundItem } from '../../../../src/client/index.ts';
import type { LiveExchange } from '../live-exchange.ts';
import type { ExchangePlace } from '../places.ts';

/** Older rounds load when the reader comes this near to the beginning of what is loaded. */
const NEAR_TOP = 300;

/** Keeps the reader where they are while older rounds are put above the one that was the oldest. */
export function useKeptPlace(area: RefObject<HTMLElement | null>, oldest: number): void {
  const before = useRef({ oldest, offset: 0 });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || oldest === before.current.oldest) return;
    const { oldest: oldestBefore, offset } = before.current;
    if (oldest < oldestBefore) element.scrollTop += offsetOf(element, oldestBefore) - offset;
    before.current = { oldest, offset: offsetOf(element, oldest) };
  }, [area, oldest]);
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => {
      before.current = { ...before.current, offset: offsetOf(element, before.current.oldest) };
    });
    for (const child of element.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, [area]);
}

/** How far a round is from the beginning of the area's content. */
function offsetOf(area: HTMLElement, round: number): number {
  const card = area.querySelector(`[data-place$="#round.${round}"]`);
  if (!card) return 0;
  return card.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop;
}

/** Loads older rounds when the reader scrolls up to where they begin. */
export function useOlderOnScroll(
  area: RefObject<HTMLElement | null>,
  hasOlder: boolean,
  showOlder: () => Promise<unknown>,
): void {
  useEffect(() => {
    const element = area.current;
    if (!element || !hasOlder) return;
    let last = element.scrollTop;
    const onScroll = () => {
      const isUpward = element.scrollTop < last;
      last = element.scrollTop;
      if (isUpward && last < NEAR_TOP) void showOlder();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [area, hasOlder, showOlder]);
}

/** The target of the URL, once it is loaded. */
export function useTarget(
  exchange: LiveExchange,
  place: ExchangePlace | undefined,
  rounds: readonly RoundItem[],
): Extract<ExchangePlace, { readonly number: number }> | undefined {
  const [kind, number] = place && 'number' in place ? [place.kind, place.number] : [];
  useEffect(() => {
    if (number === undefined) return;
    const isLoaded = (loadedRounds: readonly RoundItem[]) =>
      kind === 'thought'
        ? loadedRounds.some(({ thoughts }) => thoughts.some(({ id }) => id <= number))
        : kind === 'round'
          ? (loadedRounds.at(-1)?.round ?? 0) <= number
          : exchange.timeline
              .get()
              .audits.some((each) => each.audit === number && each.round >= (loadedRounds.at(-1)?.round ?? 0));
    void exchange.loadUntil(isLoaded);
  }, [exchange, kind, number]);
  return rounds.length > 0 && place && 'number' in place ? place : undefined;
}

/** Makes a link to the current URL scroll to its target again. */
export function useRepeatedLink(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a[data-in-page]') as HTMLAnchorElement | null;
      if (!link || link.href !== location.href) return;
      const [, thought] = /^#thought\.(\d+)$/.exec(link.hash) ?? [];
      const number = thought && area.current?.querySelector<HTMLElement>(`[data-thought="${thought}"]`);
      if (!number) return;
      number.scrollIntoView({ block: 'center' });
      number.focus({ preventScroll: true });
    };
    const element = area.current;
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [area]);
}

/** Focuses the next stop of the story; false if there is none. Without a focus there, backwards begins at the end. */
export function focusStop(area: HTMLElement | null, by: number | 'first' | 'last'): boolean {
  const stops = [...(area?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
  const current = document.activeElement?.closest('[data-stop], [data-place], article');
  const at = stops.findIndex((stop) => stop === document.activeElement || stop === current || current?.contains(stop));
  const next =
    by === 'first' ? stops[0] : by === 'last' || at < 0 ? stops.at(-1) : at + by < 0 ? undefined : stops[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
