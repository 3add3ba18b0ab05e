import { cloneElement, type ReactElement, Suspense, useEffect } from 'react';
import { createStore, useStore } from '../../data/store.ts';
import { lazyWithRetry } from '../lazy.ts';

interface TooltipProps {
  readonly label: string;
  readonly shortcut?: string | undefined;
  readonly children: ReactElement;
}

/** The name of an icon and its key, on hover and on focus. The control has the name itself for screen readers. */
export function Tooltip({ label, shortcut, children }: TooltipProps) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tooltip': label,
    'data-tooltip-key': shortcut,
  });
}

const DELAY_MS = 400;
const TooltipPopup = lazyWithRetry(async () => (await import('./tooltip-popup.tsx')).TooltipPopup);
const described = createStore<HTMLElement | undefined>(undefined);

/** Shows the tooltip of what is pointed at or has the focus. One for the whole page, loaded with the first of them. */
export function Tooltips() {
  const element = useStore(described);
  useEffect(followTooltips, []);
  if (!element?.isConnected) return null;
  return (
    <Suspense>
      <TooltipPopup anchor={element} label={element.dataset.tooltip ?? ''} shortcut={element.dataset.tooltipKey} />
    </Suspense>
  );
}

function followTooltips(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (element: HTMLElement | undefined, delay: number) => {
    clearTimeout(timer);
    if (element === undefined || delay === 0) described.set(element);
    else timer = setTimeout(() => described.set(element), delay);
  };
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    const element = withTooltip(target);
    if (pointerType === 'mouse' && element !== described.get()) show(element, DELAY_MS);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    const element = withTooltip(target);
    show(element?.matches(':focus-visible') ? element : undefined, 0);
  };
  const hide = () => show(undefined, 0);
  const controller = new AbortController();
  const { signal } = controller;
  document.addEventListener('pointerover', onPointerOver, { signal });
  document.addEventListener('focusin', onFocusIn, { signal });
  // What has the focus may have been scrolled into view by it.
  const onScroll = () => described.get() !== document.activeElement && hide();
  document.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
  for (const type of ['focusout', 'pointerdown', 'keydown'] as const)
    document.addEventListener(type, hide, { signal, capture: true, passive: true });
  document.documentElement.addEventListener('pointerleave', hide, { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

function withTooltip(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('[data-tooltip]')) || undefined;
}
