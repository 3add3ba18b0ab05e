import { ArrowDown } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from './controls/button.tsx';
import styles from './follow-end.module.css';

const MARGIN = 40;

/**
 * Keeps the end of a scrolling area in view while its content grows, as long as the reader is there. A reader who has
 * scrolled up is not moved.
 */
export function useFollowEnd(area: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    isFollowing.current = true;
    setAtEnd(true);
    area.current?.scrollTo({ top: area.current.scrollHeight, behavior: 'instant' });
  }, [area]);

  useEffect(() => {
    const element = area.current;
    if (!element || !content.current) return;
    let top = element.scrollTop;
    const onScroll = () => {
      const isEnd = element.scrollHeight - element.scrollTop - element.clientHeight < MARGIN;
      // Content that grew since the last frame moves the end away; only going up means to stop following.
      if (isEnd || element.scrollTop < top) isFollowing.current = isEnd;
      top = element.scrollTop;
      setAtEnd(isEnd || isFollowing.current);
    };
    const watcher = new ResizeObserver(() => {
      if (isFollowing.current) element.scrollTop = element.scrollHeight;
      else onScroll();
    });
    watcher.observe(content.current);
    watcher.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [area, content]);

  /** Stays where the reader was led, for example by a link. */
  const stay = useCallback(() => {
    isFollowing.current = false;
  }, []);

  return { isAtEnd, toEnd, stay };
}

/** Whether any of an element is in view; it is looked for again when the key changes. */
export function useIsInView(
  area: RefObject<HTMLElement | null>,
  element: RefObject<HTMLElement | null>,
  key: unknown,
): boolean {
  const [isInView, setInView] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another element has another key
  useEffect(() => {
    if (!element.current) return;
    const watcher = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? true), {
      root: area.current,
    });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [area, element, key]);
  return isInView;
}

/** Floats above the end of the area while the reader is elsewhere. */
export function JumpToLatest({ label = 'Jump to latest', onJump }: { readonly label?: string; onJump(): void }) {
  return (
    <span className={styles.jump}>
      <Button icon={ArrowDown} onClick={onJump}>
        {label}
      </Button>
    </span>
  );
}
