import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { isDark } from '../../../shell/theme.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import type { OpenLoom } from '../loom.ts';
import {
  createScene,
  drawOverview,
  drawTree,
  LANE_HEIGHT,
  STEP_WIDTH,
  type TreeCamera,
  type TreeInks,
  type TreeScene,
} from './draw.ts';
import { layoutTree, placeNear } from './layout.ts';
import styles from './map.module.css';
import { useTree } from './use-tree.ts';

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

interface TreeMapProps {
  readonly scene: TreeScene;
  /** The place that the card is about. */
  readonly selected: number;
  onSelect(place: number): void;
  onGo(place: number): void;
}

/** The tree on a canvas: dragged, zoomed, walked through by keys (W23). */
export function TreeMap({ scene, selected, onSelect, onGo }: TreeMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useRef<HTMLCanvasElement>(null);
  const [camera, setCamera] = useState<TreeCamera>();
  const [hovered, setHovered] = useState<number>();
  const size = useSize(canvas);
  const currentCamera = useMemo(() => camera ?? cameraOn(scene, selected, size), [scene, camera, selected, size]);

  useEffect(() => {
    if (!canvas.current || size.width === 0) return;
    const context = prepareContext(canvas.current, size.width, size.height);
    drawTree(context, scene, currentCamera, size.width, size.height, { selected, hovered });
    const small = { width: overview.current?.clientWidth ?? 0, height: overview.current?.clientHeight ?? 0 };
    if (!overview.current || small.width === 0) return;
    const sizes = { ...small, viewWidth: size.width, viewHeight: size.height };
    drawOverview(prepareContext(overview.current, small.width, small.height), scene, currentCamera, sizes);
  }, [scene, currentCamera, size, selected, hovered]);

  useEffect(() => canvas.current?.focus(), []);

  // The wheel moves and, with Ctrl, zooms, which needs a listener that is not passive.
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      setCamera((before) => {
        const from = before ?? currentCamera;
        if (event.ctrlKey) return { ...from, zoom: clampZoom(from.zoom * Math.exp(-event.deltaY / 300)) };
        const [x, y] = [event.deltaX / (STEP_WIDTH * from.zoom), event.deltaY / (LANE_HEIGHT * from.zoom)];
        return { ...from, row: from.row + x, lane: from.lane + y };
      });
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [currentCamera]);

  const drag = useRef<{ x: number; y: number; camera: TreeCamera; moved: boolean }>(undefined);
  const placeAt = (event: { clientX: number; clientY: number }) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box) return undefined;
    const row = currentCamera.row + (event.clientX - box.left - box.width / 2) / (STEP_WIDTH * currentCamera.zoom);
    const lane = currentCamera.lane + (event.clientY - box.top - box.height / 2) / (LANE_HEIGHT * currentCamera.zoom);
    return placeNear(scene.layout, lane, row) || undefined;
  };
  const zoomBy = (factor: number) => setCamera({ ...currentCamera, zoom: clampZoom(currentCamera.zoom * factor) });

  function onKeyDown(event: KeyboardEvent): void {
    const next = neighbour(scene, selected, event.key);
    if (next !== undefined) {
      onSelect(next);
      setCamera({ ...currentCamera, lane: scene.layout.lane[next]!, row: scene.layout.row[next]! });
    } else if (event.key === 'Enter') onGo(selected);
    else if (event.key === '+' || event.key === '-') zoomBy(event.key === '+' ? 1.25 : 0.8);
    else return;
    event.preventDefault();
  }

  const total = scene.layout.count;
  return (
    <>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys move in it as in an application */}
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="application"
        aria-label={`Tree of ${total} nodes. Arrow keys move, Enter opens a node, plus and minus zoom.`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, camera: currentCamera, moved: false };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from) return setHovered(placeAt(event));
          const [x, y] = [event.clientX - from.x, event.clientY - from.y];
          if (!from.moved && Math.hypot(x, y) < 4) return;
          from.moved = true;
          const { camera: start } = from;
          setCamera({
            ...start,
            row: start.row - x / (STEP_WIDTH * start.zoom),
            lane: start.lane - y / (LANE_HEIGHT * start.zoom),
          });
        }}
        onPointerUp={(event) => {
          const place = drag.current?.moved ? undefined : placeAt(event);
          drag.current = undefined;
          if (place === undefined) return;
          // The picture stays where it is under the pointer.
          setCamera(currentCamera);
          onSelect(place);
        }}
        onDoubleClick={(event) => {
          const place = placeAt(event);
          if (place !== undefined) onGo(place);
        }}
        onPointerLeave={() => setHovered(undefined)}
      />
      <div className={styles.zoom}>
        <IconButton icon={Minus} label="Zoom out" shortcut="-" onClick={() => zoomBy(0.8)} />
        <span className={styles.percent}>{Math.round(currentCamera.zoom * 100)}%</span>
        <IconButton icon={Plus} label="Zoom in" shortcut="+" onClick={() => zoomBy(1.25)} />
        <IconButton icon={Maximize} label="Show the whole tree" onClick={() => setCamera(wholeTree(scene, size))} />
      </div>
      <canvas
        ref={overview}
        className={styles.overview}
        hidden={fits(scene, size)}
        aria-label="Overview of the tree"
        onPointerDown={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const row = ((event.clientX - box.left) / box.width) * (scene.layout.depth + 2) - 0.5;
          const lane = ((event.clientY - box.top) / box.height) * (scene.layout.lanes + 1) - 0.5;
          setCamera({ ...currentCamera, lane, row });
        }}
      />
    </>
  );
}

export function useScene(loom: OpenLoom): TreeScene {
  const tree = useTree(loom.session);
  const hoistedNode = useStore(loom.hoistedNode);
  const isDarkScheme = useStore(isDark);
  return useMemo(() => {
    void isDarkScheme;
    const root = hoistedNode === undefined ? 0 : tree.node.indexOf(hoistedNode) + 1;
    const inks = readInks();
    const colours = tree.authors.map(({ id, kind }) => inks.hues[loom.authors.of(id, kind).hue] ?? inks.soft);
    return createScene(tree, layoutTree(tree, root), colours, inks);
  }, [tree, loom, hoistedNode, isDarkScheme]);
}

function neighbour({ layout, tree }: TreeScene, from: number, key: string): number | undefined {
  if (key === 'ArrowLeft') return layout.parent[from]! > 0 ? layout.parent[from] : undefined;
  const children = [];
  const siblings = [];
  for (let place = 1; place < layout.row.length; place++) {
    if (layout.row[place]! < 0) continue;
    if (layout.parent[place] === from) children.push(place);
    if (layout.parent[place] === layout.parent[from]) siblings.push(place);
  }
  if (key === 'ArrowRight') return children.find((place) => tree.path.includes(place)) ?? children[0];
  if (key === 'ArrowDown') return siblings[siblings.indexOf(from) + 1];
  if (key === 'ArrowUp') return siblings[siblings.indexOf(from) - 1];
  return undefined;
}

function useSize(canvas: RefObject<HTMLCanvasElement | null>): CanvasSize {
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

function prepareContext(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight)
    [canvas.width, canvas.height] = [pixelWidth, pixelHeight];
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Shows a small tree whole; of a large tree, the part around the node. */
function cameraOn(scene: TreeScene, selected: number, size: CanvasSize): TreeCamera {
  const { layout } = scene;
  if (fits(scene, size)) return { lane: (layout.lanes - 1) / 2, row: (layout.depth + 2) / 2, zoom: 1 };
  return { lane: Math.max(0, layout.lane[selected] ?? 0), row: Math.max(1, layout.row[selected] ?? 0), zoom: 1 };
}

function wholeTree({ layout }: TreeScene, { width, height }: CanvasSize): TreeCamera {
  const zoom = Math.min(1, width / ((layout.depth + 2) * STEP_WIDTH), height / ((layout.lanes + 1) * LANE_HEIGHT));
  return { lane: (layout.lanes - 1) / 2, row: (layout.depth + 2) / 2, zoom: clampZoom(zoom) };
}

function fits({ layout }: TreeScene, { width, height }: CanvasSize): boolean {
  return (layout.depth + 2) * STEP_WIDTH < width && (layout.lanes + 1) * LANE_HEIGHT < height;
}

function clampZoom(zoom: number): number {
  return Math.min(2, Math.max(0.0005, zoom));
}

function readInks(): TreeInks {
  // A canvas does not know CSS variables, so resolve each colour on the page.
  const probe = document.body.appendChild(document.createElement('i'));
  const ink = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const inks = {
    paper: ink('paper'),
    ink: ink('ink'),
    soft: ink('ink-soft'),
    line: ink('control-line'),
    serif: getComputedStyle(probe).getPropertyValue('--serif'),
    hues: Array.from({ length: 8 }, (_, hue) => ink(`hue-${hue}`)),
  };
  probe.remove();
  return inks;
}
