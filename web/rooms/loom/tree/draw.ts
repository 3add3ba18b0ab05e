import { TREE_FLAGS } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { placesInRow, type TreeLayout } from './layout.ts';

export const LANE_WIDTH = 14;
export const ROW_HEIGHT = 16;
/** If a step is smaller than this on the screen, the whole tree is drawn from a cached picture. */
const MIN_STEP = 4;
/** Below this zoom, dots are squares drawn together. */
const MIN_ROUND_ZOOM = 0.7;
/** The maximum width and height of a picture. */
const MAX_PICTURE_SIZE = 1400;

/** The visible part of the tree: the centre, in lanes and rows, and the size of a lane. */
export interface TreeCamera {
  readonly lane: number;
  readonly row: number;
  readonly zoom: number;
}

export interface TreeInks {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  readonly hues: readonly string[];
}

export interface TreeScene {
  readonly tree: TreeView;
  readonly layout: TreeLayout;
  /** The colour of each author of the tree. */
  readonly colours: readonly string[];
  readonly inks: TreeInks;
  readonly picture: TreePicture;
}

interface TreePicture {
  readonly image: OffscreenCanvas;
  readonly perLane: number;
  readonly perRow: number;
}

export function createScene(tree: TreeView, layout: TreeLayout, colours: readonly string[], inks: TreeInks): TreeScene {
  return { tree, layout, colours, inks, picture: drawPicture(tree, layout, colours, inks) };
}

/** Draws the whole tree small, for the minimap and for low zoom. */
function drawPicture(tree: TreeView, layout: TreeLayout, colours: readonly string[], inks: TreeInks): TreePicture {
  const perLane = Math.min(MIN_STEP, MAX_PICTURE_SIZE / (layout.lanes + 1));
  const perRow = Math.min(MIN_STEP, MAX_PICTURE_SIZE / (layout.depth + 2));
  const image = new OffscreenCanvas(
    Math.max(1, Math.ceil((layout.lanes + 1) * perLane)),
    Math.max(1, Math.ceil((layout.depth + 2) * perRow)),
  );
  const context = image.getContext('2d')!;
  const data = context.createImageData(image.width, image.height);
  const pixels = new Uint32Array(data.data.buffer);
  const [dotWidth, dotHeight] = [Math.max(1, Math.round(perLane * 0.6)), Math.max(1, Math.round(perRow * 0.7))];
  const faint = colours.map((colour) => pixelOf(colour, 170));
  const bold = pixelOf(inks.ink, 255);
  const putDot = (place: number, colour: number, extra: number) => {
    const x = Math.floor((layout.lane[place]! + 0.5) * perLane);
    const y = Math.floor((layout.row[place]! + 0.5) * perRow);
    for (let down = 0; down < dotHeight + extra; down++) {
      const start = (y + down) * image.width + x;
      if (y + down < image.height) pixels.fill(colour, start, start + Math.min(dotWidth + extra, image.width - x));
    }
  };
  // Sets pixels directly: a canvas would take too long to draw a hundred thousand shapes.
  for (let place = 1; place < layout.row.length; place++) {
    if (layout.row[place]! >= 0) putDot(place, faint[tree.author[place - 1]!] ?? bold, 0);
  }
  for (const place of tree.path) if (layout.row[place]! >= 0) putDot(place, bold, 1);
  context.putImageData(data, 0, 0);
  return { image, perLane, perRow };
}

export function drawTree(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  camera: TreeCamera,
  width: number,
  height: number,
  highlighted?: number,
): void {
  context.clearRect(0, 0, width, height);
  const [perLane, perRow] = [LANE_WIDTH * camera.zoom, ROW_HEIGHT * camera.zoom];
  const x = (lane: number) => width / 2 + (lane - camera.lane) * perLane;
  const y = (row: number) => height / 2 + (row - camera.row) * perRow;
  if (perLane < MIN_STEP) {
    const { image, perLane: ownLane, perRow: ownRow } = scene.picture;
    const [scaleX, scaleY] = [perLane / ownLane, perRow / ownRow];
    context.imageSmoothingEnabled = true;
    context.drawImage(image, x(-0.5), y(-0.5), image.width * scaleX, image.height * scaleY);
    return;
  }
  const { tree, layout, colours, inks } = scene;
  const [firstRow, lastRow] = [
    Math.floor(camera.row - height / 2 / perRow) - 1,
    Math.ceil(camera.row + height / 2 / perRow) + 1,
  ];
  const [firstLane, lastLane] = [
    Math.floor(camera.lane - width / 2 / perLane) - 1,
    Math.ceil(camera.lane + width / 2 / perLane) + 1,
  ];
  const isSmall = camera.zoom < MIN_ROUND_ZOOM;
  const [edges, pathLine] = [new Path2D(), new Path2D()];
  const visiblePlaces: number[] = [];
  for (let row = Math.max(0, firstRow); row <= Math.min(layout.depth, lastRow); row++) {
    for (const place of placesInRow(layout, row, firstLane, lastLane)) visiblePlaces.push(place);
  }
  for (const place of visiblePlaces) {
    const from = layout.parent[place]!;
    if (place === 0 || from < 0 || layout.row[from]! < 0 || layout.row[place] === 0) continue;
    const line = isOnPath(tree, place) && (from === 0 || isOnPath(tree, from)) ? pathLine : edges;
    const [x1, y1, x2, y2] = [
      x(layout.lane[from]!),
      y(layout.row[from]!),
      x(layout.lane[place]!),
      y(layout.row[place]!),
    ];
    line.moveTo(x1, y1);
    if (x1 !== x2 && !isSmall) line.bezierCurveTo(x1, y1 + perRow * 0.6, x2, y1 + perRow * 0.2, x2, y2);
    else line.lineTo(x2, y2);
  }
  // A branch that runs out of view on the right still starts at a visible place.
  context.lineWidth = 1;
  context.strokeStyle = inks.line;
  context.stroke(edges);
  context.lineWidth = 2;
  context.strokeStyle = inks.ink;
  context.stroke(pathLine);
  const radius = Math.max(1.5, Math.min(4, 3 * camera.zoom));
  if (isSmall) drawSquares(context, scene, visiblePlaces, x, y);
  for (const place of isSmall ? [] : visiblePlaces) {
    if (place === 0) continue;
    const flags = tree.flags[place - 1]!;
    context.fillStyle = colours[tree.author[place - 1]!] ?? inks.soft;
    drawDot(context, x(layout.lane[place]!), y(layout.row[place]!), flags & TREE_FLAGS.onPath ? radius + 1 : radius);
    if (flags & TREE_FLAGS.unread)
      drawRing(context, x(layout.lane[place]!), y(layout.row[place]!), radius + 2.5, inks.accent);
    if (place === highlighted) drawRing(context, x(layout.lane[place]!), y(layout.row[place]!), radius + 4, inks.ink);
  }
}

function drawSquares(
  context: CanvasRenderingContext2D,
  { tree, layout, colours, inks }: TreeScene,
  visiblePlaces: readonly number[],
  x: (lane: number) => number,
  y: (row: number) => number,
): void {
  const shapes = colours.map(() => new Path2D());
  for (const place of visiblePlaces) {
    if (place === 0) continue;
    const size = isOnPath(tree, place) ? 4 : 3;
    shapes[tree.author[place - 1]!]?.rect(
      x(layout.lane[place]!) - size / 2,
      y(layout.row[place]!) - size / 2,
      size,
      size,
    );
  }
  shapes.forEach((shape, author) => {
    context.fillStyle = colours[author] ?? inks.soft;
    context.fill(shape);
  });
}

export function drawMap(context: CanvasRenderingContext2D, scene: TreeScene, camera: TreeCamera, size: MapSize): void {
  const { width, height, viewWidth, viewHeight } = size;
  context.clearRect(0, 0, width, height);
  const { image } = scene.picture;
  context.drawImage(image, 0, 0, width, height);
  const [perLane, perRow] = [width / (scene.layout.lanes + 1), height / (scene.layout.depth + 2)];
  const [lanes, rows] = [viewWidth / (LANE_WIDTH * camera.zoom), viewHeight / (ROW_HEIGHT * camera.zoom)];
  const left = Math.max(0.5, (camera.lane + 0.5 - lanes / 2) * perLane);
  const top = Math.max(0.5, (camera.row + 0.5 - rows / 2) * perRow);
  context.strokeStyle = scene.inks.accent;
  context.lineWidth = 1;
  context.strokeRect(
    left,
    top,
    Math.max(3, Math.min(width - 1, lanes * perLane)) -
      Math.max(0, left + Math.min(width - 1, lanes * perLane) - width + 0.5),
    Math.max(
      3,
      Math.min(height - 1, rows * perRow) - Math.max(0, top + Math.min(height - 1, rows * perRow) - height + 0.5),
    ),
  );
}

export interface MapSize {
  readonly width: number;
  readonly height: number;
  readonly viewWidth: number;
  readonly viewHeight: number;
}

function isOnPath(tree: TreeView, place: number): boolean {
  return (tree.flags[place - 1]! & TREE_FLAGS.onPath) !== 0;
}

function drawDot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}

function drawRing(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.stroke();
}

/** Converts a colour such as #1d1c1a to a pixel in the byte order of ImageData. */
function pixelOf(colour: string, alpha: number): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
  return ((alpha << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
}
