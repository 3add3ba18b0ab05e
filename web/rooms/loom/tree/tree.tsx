import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type TreeView, viewTree } from '../../../../src/core/loom/tree.ts';
import { useStore } from '../../../data/store.ts';
import { isDark } from '../../../shell/theme.ts';
import { numeral } from '../../../ui/numeral.ts';
import { visible } from '../../../ui/text/visible.ts';
import type { Authors } from '../session/authors.ts';
import type { Desk } from '../session/edit-session.ts';
import { type Camera, drawMap, drawTree, type Inks, LANE, ROW, type Scene, sceneOf } from './draw.ts';
import { layOut, placeNear } from './layout.ts';

interface TreeProps {
  readonly desk: Desk;
  readonly authors: Authors;
  /** The node the caret is in. */
  readonly at: string | undefined;
  readonly hoisted: string | undefined;
  onHoist(node: string | undefined): void;
}

/** A large tree is drawn anew at most this often. */
const LARGE = 5_000;
const ROOMY = 1.6;

interface Size {
  readonly width: number;
  readonly height: number;
}

const LARGE_MS = 600;

/** The whole loom as a drawing: the path bold, what nobody has read ringed, a map of it below (W23). */
export function Tree({ desk, authors, at, hoisted, onHoist }: TreeProps) {
  const scene = useScene(desk, authors, hoisted);
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const [camera, setCamera] = useState<Camera>();
  const [marked, setMarked] = useState<number>();
  const size = useSize(canvas);
  const shown = useMemo(() => scene && (camera ?? cameraOn(scene, at, size)), [scene, camera, at, size]);

  useEffect(() => {
    if (!scene || !shown || !canvas.current || size.width === 0) return;
    drawTree(contextOf(canvas.current, size.width, size.height), scene, shown, size.width, size.height, marked);
    const mapSize = { width: map.current?.clientWidth ?? 0, height: map.current?.clientHeight ?? 0 };
    if (!map.current || mapSize.width === 0) return;
    const context = contextOf(map.current, mapSize.width, mapSize.height);
    drawMap(context, scene, shown, { ...mapSize, viewWidth: size.width, viewHeight: size.height });
  }, [scene, shown, size, marked]);

  // The wheel zooms, which a passive listener could not.
  useEffect(() => {
    const element = canvas.current;
    const turned = (event: WheelEvent) => {
      event.preventDefault();
      setCamera((before) => {
        const from = before ?? shown;
        if (!from) return before;
        if (!event.ctrlKey) {
          const [x, y] = [event.deltaX / (LANE * from.zoom), event.deltaY / (ROW * from.zoom)];
          return { ...from, lane: from.lane + x, row: from.row + y };
        }
        return { ...from, zoom: clampZoom(from.zoom * Math.exp(-event.deltaY / 300)) };
      });
    };
    element?.addEventListener('wheel', turned, { passive: false });
    return () => element?.removeEventListener('wheel', turned);
  }, [shown]);

  // Where the path goes, the drawing follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another node is looked at
  useEffect(() => setCamera(undefined), [at, hoisted]);

  const drag = useRef<{ x: number; y: number; camera: Camera; moved: boolean }>(undefined);
  const pointAt = (event: { clientX: number; clientY: number }) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || !scene || !shown) return undefined;
    const lane = shown.lane + (event.clientX - box.left - box.width / 2) / (LANE * shown.zoom);
    const row = shown.row + (event.clientY - box.top - box.height / 2) / (ROW * shown.zoom);
    return placeNear(scene.layout, lane, row);
  };
  const goTo = (place: number | undefined) => {
    const node = place ? scene?.tree.node[place - 1] : undefined;
    if (node) void desk.goTo(node);
  };

  function pressed(event: KeyboardEvent): void {
    if (!scene) return;
    const from = marked ?? scene.tree.path.at(-1) ?? 0;
    const next = neighbour(scene, from, event.key);
    if (next !== undefined) {
      setMarked(next);
      if (shown) setCamera({ ...shown, lane: scene.layout.lane[next]!, row: scene.layout.row[next]! });
    } else if (event.key === 'Enter') goTo(marked);
    else if (event.key === '+' || event.key === '-')
      setCamera(
        (now) =>
          (now ?? shown) && {
            ...(now ?? shown)!,
            zoom: clampZoom((now ?? shown)!.zoom * (event.key === '+' ? 1.25 : 0.8)),
          },
      );
    else return;
    event.preventDefault();
  }

  const isLarge = scene !== undefined && !fits(scene, size);
  const total = scene?.layout.count ?? 0;
  return (
    <section className="tree">
      <p className="tree-count">
        {numeral(total)} {total === 1 ? 'node' : 'nodes'}
      </p>
      {hoisted !== undefined && (
        <p>
          Only what follows one node is shown.{' '}
          <button type="button" className="act" onClick={() => onHoist(undefined)}>
            Show all
          </button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys move in it as in an application */}
      <canvas
        ref={canvas}
        className="tree-canvas"
        tabIndex={0}
        role="application"
        aria-label={`Tree of ${total} nodes. Arrow keys move, Enter goes there, plus and minus zoom.`}
        onKeyDown={pressed}
        onPointerDown={(event) => {
          if (!shown) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, camera: shown, moved: false };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from) return setMarked(pointAt(event) || undefined);
          const [x, y] = [event.clientX - from.x, event.clientY - from.y];
          if (!from.moved && Math.hypot(x, y) < 4) return;
          from.moved = true;
          const { camera: start } = from;
          setCamera({ ...start, lane: start.lane - x / (LANE * start.zoom), row: start.row - y / (ROW * start.zoom) });
        }}
        onPointerUp={(event) => {
          if (drag.current && !drag.current.moved) goTo(pointAt(event));
          drag.current = undefined;
        }}
        onPointerLeave={() => setMarked(undefined)}
      />
      <canvas
        ref={map}
        className="tree-map"
        hidden={!isLarge}
        aria-label="Map of the tree"
        onPointerDown={(event) => {
          if (!scene || !shown) return;
          const box = event.currentTarget.getBoundingClientRect();
          const lane = ((event.clientX - box.left) / box.width) * (scene.layout.lanes + 1) - 0.5;
          const row = ((event.clientY - box.top) / box.height) * (scene.layout.depth + 2) - 0.5;
          setCamera({ ...shown, lane, row });
        }}
      />
      <p className="tree-words" aria-live="polite" dir="auto">
        {marked && scene ? wordsFor(scene.tree, marked) : ''}
      </p>
    </section>
  );
}

function wordsFor(tree: TreeView, place: number): string {
  const author = visible(tree.authors[tree.author[place - 1]!]?.id ?? '');
  const text = visible(tree.preview[place - 1] ?? '').trim();
  return `${author}: ${text || '(nothing)'}${(tree.length[place - 1] ?? 0) > 48 ? '…' : ''}`;
}

function neighbour({ layout }: Scene, from: number, key: string): number | undefined {
  if (key === 'ArrowUp') return layout.parent[from]! > 0 ? layout.parent[from] : undefined;
  const children = [];
  const siblings = [];
  for (let place = 1; place < layout.row.length; place++) {
    if (layout.row[place]! < 0) continue;
    if (layout.parent[place] === from) children.push(place);
    if (layout.parent[place] === layout.parent[from]) siblings.push(place);
  }
  if (key === 'ArrowDown') return children[0];
  if (key === 'ArrowRight') return siblings[siblings.indexOf(from) + 1];
  if (key === 'ArrowLeft') return siblings[siblings.indexOf(from) - 1];
  return undefined;
}

function useScene(desk: Desk, authors: Authors, hoisted: string | undefined): Scene | undefined {
  const tick = useTick(desk);
  const scheme = useStore(isDark);
  return useMemo(() => {
    void [scheme, tick];
    // An older state would take the arrays from the newest.
    const loom = desk.replica.loom.get();
    const tree = viewTree(loom, desk.me, 0, Number.MAX_SAFE_INTEGER);
    const root = hoisted === undefined ? -1 : tree.node.indexOf(hoisted);
    const inks = inksNow();
    authors.all(loom);
    const colours = tree.authors.map(({ id, kind }) => inks.hues[authors.of(id, kind).hue ?? -1] ?? inks.soft);
    return sceneOf(tree, layOut(tree, root + 1), colours, inks);
  }, [tick, desk, authors, hoisted, scheme]);
}

/** Changes with the loom; with a large one a moment later, so that not every event draws all of it. */
function useTick(desk: Desk): unknown {
  const loom = useStore(desk.replica.loom);
  const [shown, setShown] = useState(loom.nodes);
  const isLarge = loom.nodes > LARGE;
  const tick = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the loom counts
  useEffect(() => {
    if (!isLarge) return;
    const timer = setTimeout(() => setShown(--tick.current), LARGE_MS);
    return () => clearTimeout(timer);
  }, [loom, isLarge]);
  return isLarge ? shown : loom;
}

function useSize(canvas: { readonly current: HTMLCanvasElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!canvas.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, [canvas]);
  return size;
}

function contextOf(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** A small tree is shown whole, from the top; of a large one, what is around the node. */
function cameraOn(scene: Scene, at: string | undefined, size: Size): Camera {
  const { tree, layout } = scene;
  if (fits(scene, size)) {
    return { lane: (layout.lanes - 1) / 2, row: size.height / 2 / (ROW * ROOMY) - 1, zoom: ROOMY };
  }
  const index = at === undefined ? -1 : tree.node.indexOf(at);
  const place = index >= 0 && layout.row[index + 1]! >= 0 ? index + 1 : (tree.path.at(-1) ?? 0);
  return { lane: Math.max(0, layout.lane[place] ?? 0), row: Math.max(0, layout.row[place] ?? 0), zoom: 1 };
}

function fits({ layout }: Scene, { width, height }: Size): boolean {
  return layout.lanes * LANE * ROOMY < width && (layout.depth + 2) * ROW * ROOMY < height;
}

function clampZoom(zoom: number): number {
  return Math.min(3, Math.max(0.002, zoom));
}

function inksNow(): Inks {
  // A canvas knows no variables: each colour is what it comes to on the page now.
  const probe = document.body.appendChild(document.createElement('i'));
  const ink = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const inks = {
    paper: ink('paper'),
    ink: ink('ink'),
    soft: ink('soft'),
    line: ink('line'),
    accent: ink('accent'),
    hues: Array.from({ length: 8 }, (_, hue) => ink(`hue-${hue}`)),
  };
  probe.remove();
  return inks;
}
