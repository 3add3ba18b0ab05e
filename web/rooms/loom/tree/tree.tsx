import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { viewTree } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { isDark } from '../../../shell/theme.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { LoomAuthors } from '../session/authors.ts';
import type { EditSession } from '../session/edit-session.ts';
import {
  createScene,
  drawMap,
  drawTree,
  LANE_WIDTH,
  ROW_HEIGHT,
  type TreeCamera,
  type TreeInks,
  type TreeScene,
} from './draw.ts';
import { layoutTree, placeNear } from './layout.ts';

interface TreeProps {
  readonly session: EditSession;
  readonly authors: LoomAuthors;
  /** The node the caret is in. */
  readonly at: string | undefined;
  readonly hoistedNode: string | undefined;
  onHoist(node: string | undefined): void;
}

/** A tree with more nodes than this is redrawn at most every LARGE_TREE_REDRAW_MS. */
const LARGE_TREE = 5_000;
const WHOLE_TREE_ZOOM = 1.6;

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

const LARGE_TREE_REDRAW_MS = 600;

/** Draws the whole loom: the path bold, unread nodes ringed, a minimap below (W23). */
export function Tree({ session, authors, at, hoistedNode, onHoist }: TreeProps) {
  const scene = useScene(session, authors, hoistedNode);
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const [camera, setCamera] = useState<TreeCamera>();
  const [highlighted, setHighlighted] = useState<number>();
  const size = useSize(canvas);
  const currentCamera = useMemo(() => scene && (camera ?? cameraOn(scene, at, size)), [scene, camera, at, size]);

  useEffect(() => {
    if (!scene || !currentCamera || !canvas.current || size.width === 0) return;
    drawTree(
      prepareContext(canvas.current, size.width, size.height),
      scene,
      currentCamera,
      size.width,
      size.height,
      highlighted,
    );
    const mapSize = { width: map.current?.clientWidth ?? 0, height: map.current?.clientHeight ?? 0 };
    if (!map.current || mapSize.width === 0) return;
    const context = prepareContext(map.current, mapSize.width, mapSize.height);
    drawMap(context, scene, currentCamera, { ...mapSize, viewWidth: size.width, viewHeight: size.height });
  }, [scene, currentCamera, size, highlighted]);

  // The wheel zooms, which needs a listener that is not passive.
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      setCamera((before) => {
        const from = before ?? currentCamera;
        if (!from) return before;
        if (!event.ctrlKey) {
          const [x, y] = [event.deltaX / (LANE_WIDTH * from.zoom), event.deltaY / (ROW_HEIGHT * from.zoom)];
          return { ...from, lane: from.lane + x, row: from.row + y };
        }
        return { ...from, zoom: clampZoom(from.zoom * Math.exp(-event.deltaY / 300)) };
      });
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [currentCamera]);

  // The drawing follows the path.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another node is looked at
  useEffect(() => setCamera(undefined), [at, hoistedNode]);

  const drag = useRef<{ x: number; y: number; camera: TreeCamera; moved: boolean }>(undefined);
  const placeAt = (event: { clientX: number; clientY: number }) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || !scene || !currentCamera) return undefined;
    const lane = currentCamera.lane + (event.clientX - box.left - box.width / 2) / (LANE_WIDTH * currentCamera.zoom);
    const row = currentCamera.row + (event.clientY - box.top - box.height / 2) / (ROW_HEIGHT * currentCamera.zoom);
    return placeNear(scene.layout, lane, row);
  };
  const goTo = (place: number | undefined) => {
    const node = place ? scene?.tree.node[place - 1] : undefined;
    if (node) void session.goTo(node);
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (!scene) return;
    const from = highlighted ?? scene.tree.path.at(-1) ?? 0;
    const next = neighbour(scene, from, event.key);
    if (next !== undefined) {
      setHighlighted(next);
      if (currentCamera) setCamera({ ...currentCamera, lane: scene.layout.lane[next]!, row: scene.layout.row[next]! });
    } else if (event.key === 'Enter') goTo(highlighted);
    else if (event.key === '+' || event.key === '-')
      setCamera(
        (now) =>
          (now ?? currentCamera) && {
            ...(now ?? currentCamera)!,
            zoom: clampZoom((now ?? currentCamera)!.zoom * (event.key === '+' ? 1.25 : 0.8)),
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
        {formatNumber(total)} {total === 1 ? 'node' : 'nodes'}
      </p>
      {hoistedNode !== undefined && (
        <p>
          Only what follows one node is shown. <ActionButton onClick={() => onHoist(undefined)}>Show all</ActionButton>
        </p>
      )}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys move in it as in an application */}
      <canvas
        ref={canvas}
        className="tree-canvas"
        tabIndex={0}
        role="application"
        aria-label={`Tree of ${total} nodes. Arrow keys move, Enter goes there, plus and minus zoom.`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (!currentCamera) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, camera: currentCamera, moved: false };
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (!from) return setHighlighted(placeAt(event) || undefined);
          const [x, y] = [event.clientX - from.x, event.clientY - from.y];
          if (!from.moved && Math.hypot(x, y) < 4) return;
          from.moved = true;
          const { camera: start } = from;
          setCamera({
            ...start,
            lane: start.lane - x / (LANE_WIDTH * start.zoom),
            row: start.row - y / (ROW_HEIGHT * start.zoom),
          });
        }}
        onPointerUp={(event) => {
          if (drag.current && !drag.current.moved) goTo(placeAt(event));
          drag.current = undefined;
        }}
        onPointerLeave={() => setHighlighted(undefined)}
      />
      <canvas
        ref={map}
        className="tree-map"
        hidden={!isLarge}
        aria-label="Map of the tree"
        onPointerDown={(event) => {
          if (!scene || !currentCamera) return;
          const box = event.currentTarget.getBoundingClientRect();
          const lane = ((event.clientX - box.left) / box.width) * (scene.layout.lanes + 1) - 0.5;
          const row = ((event.clientY - box.top) / box.height) * (scene.layout.depth + 2) - 0.5;
          setCamera({ ...currentCamera, lane, row });
        }}
      />
      <p className="tree-words" aria-live="polite" dir="auto">
        {highlighted && scene ? placeLabel(scene.tree, highlighted) : ''}
      </p>
    </section>
  );
}

function placeLabel(tree: TreeView, place: number): string {
  const author = escapeBidi(tree.authors[tree.author[place - 1]!]?.id ?? '');
  const text = escapeBidi(tree.preview[place - 1] ?? '').trim();
  return `${author}: ${text || '(nothing)'}${(tree.length[place - 1] ?? 0) > 48 ? '…' : ''}`;
}

function neighbour({ layout }: TreeScene, from: number, key: string): number | undefined {
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

function useScene(session: EditSession, authors: LoomAuthors, hoistedNode: string | undefined): TreeScene | undefined {
  const tick = useRedrawTick(session);
  const isDarkScheme = useStore(isDark);
  return useMemo(() => {
    void [isDarkScheme, tick];
    // Read the newest state: reading an older one would take the shared arrays away from it.
    const loom = session.replica.loom.get();
    const tree = viewTree(loom, session.me, 0, Number.MAX_SAFE_INTEGER);
    const root = hoistedNode === undefined ? -1 : tree.node.indexOf(hoistedNode);
    const inks = readInks();
    authors.all(loom);
    const colours = tree.authors.map(({ id, kind }) => inks.hues[authors.of(id, kind).hue ?? -1] ?? inks.soft);
    return createScene(tree, layoutTree(tree, root + 1), colours, inks);
  }, [tick, session, authors, hoistedNode, isDarkScheme]);
}

/** Changes with the loom; delayed for a large one, so that not every event redraws all of it. */
function useRedrawTick(session: EditSession): unknown {
  const loom = useStore(session.replica.loom);
  const [shownTick, setShownTick] = useState(loom.nodes);
  const isLarge = loom.nodes > LARGE_TREE;
  const tick = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the loom counts
  useEffect(() => {
    if (!isLarge) return;
    const timer = setTimeout(() => setShownTick(--tick.current), LARGE_TREE_REDRAW_MS);
    return () => clearTimeout(timer);
  }, [loom, isLarge]);
  return isLarge ? shownTick : loom;
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

function prepareContext(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelWidth || canvas.height !== pixelHeight)
    [canvas.width, canvas.height] = [pixelWidth, pixelHeight];
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Shows a small tree whole, from the top; of a large tree, the part around the node. */
function cameraOn(scene: TreeScene, at: string | undefined, size: CanvasSize): TreeCamera {
  const { tree, layout } = scene;
  if (fits(scene, size)) {
    return {
      lane: (layout.lanes - 1) / 2,
      row: size.height / 2 / (ROW_HEIGHT * WHOLE_TREE_ZOOM) - 1,
      zoom: WHOLE_TREE_ZOOM,
    };
  }
  const index = at === undefined ? -1 : tree.node.indexOf(at);
  const place = index >= 0 && layout.row[index + 1]! >= 0 ? index + 1 : (tree.path.at(-1) ?? 0);
  return { lane: Math.max(0, layout.lane[place] ?? 0), row: Math.max(0, layout.row[place] ?? 0), zoom: 1 };
}

function fits({ layout }: TreeScene, { width, height }: CanvasSize): boolean {
  return (
    layout.lanes * LANE_WIDTH * WHOLE_TREE_ZOOM < width && (layout.depth + 2) * ROW_HEIGHT * WHOLE_TREE_ZOOM < height
  );
}

function clampZoom(zoom: number): number {
  return Math.min(3, Math.max(0.002, zoom));
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
    soft: ink('soft'),
    line: ink('line'),
    accent: ink('accent'),
    hues: Array.from({ length: 8 }, (_, hue) => ink(`hue-${hue}`)),
  };
  probe.remove();
  return inks;
}
