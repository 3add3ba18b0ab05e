import { TREE_FLAGS } from '../../../../src/core/loom/tree.ts';
import type { TreeView } from '../../../../src/core/loom/view-schema.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { placesInRow, type TreeLayout } from './layout.ts';

/** The tree runs from left to right: a step for each node of a path, a lane for each ending. */
export const STEP_WIDTH = 190;
export const LANE_HEIGHT = 30;
/** If a lane is lower than this on the screen, the whole tree is drawn from a cached picture. */
const MIN_LANE = 3;
/** Below this zoom, dots are squares drawn together. */
const MIN_ROUND_ZOOM = 0.35;
/** Below this zoom, there is no room for words. */
const MIN_LABEL_ZOOM = 0.55;
/** The maximum width and height of a picture. */
const MAX_PICTURE_SIZE = 1400;
const PICTURE_STEP = 4;
const LABEL_LENGTH = 24;
const MAX_OVERVIEW_LINES = 3_000;

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
  readonly serif: string;
  readonly hues: readonly string[];
}

export interface TreeScene {
  readonly tree: TreeView;
  readonly layout: TreeLayout;
  /** The colour of each author of the tree. */
  readonly colours: readonly string[];
  readonly inks: TreeInks;
  readonly picture: TreePicture;
  /** The widths of labels that were drawn, by place. */
  readonly widths: Map<number, number>;
}

interface TreePicture {
  readonly image: OffscreenCanvas;
  readonly perLane: number;
  readonly perRow: number;
}

interface Marked {
  /** The node that the card is about. */
  readonly selected?: number | undefined;
  readonly hovered?: number | undefined;
}

export function createScene(tree: TreeView, layout: TreeLayout, colours: readonly string[], inks: TreeInks): TreeScene {
  return { tree, layout, colours, inks, picture: drawPicture(tree, layout, colours, inks), widths: new Map() };
}

/** Draws the whole tree small, for the overview and for low zoom. */
function drawPicture(tree: TreeView, layout: TreeLayout, colours: readonly string[], inks: TreeInks): TreePicture {
  const perLane = Math.min(PICTURE_STEP, MAX_PICTURE_SIZE / (layout.lanes + 1));
  const perRow = Math.min(PICTURE_STEP * 4, MAX_PICTURE_SIZE / (layout.depth + 2));
  const image = new OffscreenCanvas(
    Math.max(1, Math.ceil((layout.depth + 2) * perRow)),
    Math.max(1, Math.ceil((layout.lanes + 1) * perLane)),
  );
  const context = image.getContext('2d')!;
  const data = context.createImageData(image.width, image.height);
  const pixels = new Uint32Array(data.data.buffer);
  const [dotWidth, dotHeight] = [Math.max(1, Math.round(perRow * 0.7)), Math.max(1, Math.round(perLane * 0.6))];
  const faint = colours.map((colour) => pixelOf(colour, 170));
  const bold = pixelOf(inks.ink, 255);
  const putDot = (place: number, colour: number, extra: number) => {
    const x = Math.floor((layout.row[place]! + 0.5) * perRow);
    const y = Math.floor((layout.lane[place]! + 0.5) * perLane);
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
  { selected, hovered }: Marked = {},
): void {
  context.clearRect(0, 0, width, height);
  const [perLane, perRow] = [LANE_HEIGHT * camera.zoom, STEP_WIDTH * camera.zoom];
  const x = (row: number) => width / 2 + (row - camera.row) * perRow;
  const y = (lane: number) => height / 2 + (lane - camera.lane) * perLane;
  if (perLane < MIN_LANE) {
    const { image, perLane: ownLane, perRow: ownRow } = scene.picture;
    context.imageSmoothingEnabled = true;
    context.drawImage(image, x(-0.5), y(-0.5), (image.width * perRow) / ownRow, (image.height * perLane) / ownLane);
    return;
  }
  const { tree, layout, colours, inks } = scene;
  const visiblePlaces = placesInView(layout, camera, width / perRow, height / perLane);
  const isSmall = camera.zoom < MIN_ROUND_ZOOM;
  const hasLabels = camera.zoom >= MIN_LABEL_ZOOM;
  if (hasLabels) context.font = `12px ${inks.serif}`;
  const [edges, pathLine] = [new Path2D(), new Path2D()];
  for (const place of visiblePlaces) {
    const from = layout.parent[place]!;
    if (place === 0 || from <= 0 || layout.row[from]! < 0) continue;
    const isPath = isOnPath(tree, place) && isOnPath(tree, from);
    const line = isPath ? pathLine : edges;
    const label = hasLabels && !isOnPath(tree, from) ? 14 + labelWidth(context, scene, from) : 0;
    const [x1, y1] = [Math.min(x(layout.row[from]!) + label, x(layout.row[place]!) - 20), y(layout.lane[from]!)];
    const [x2, y2] = [x(layout.row[place]!), y(layout.lane[place]!)];
    line.moveTo(x1, y1);
    if (y1 === y2 || isSmall) line.lineTo(x2, y2);
    else line.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2);
  }
  context.lineWidth = 1.5;
  context.strokeStyle = inks.line;
  context.stroke(edges);
  context.lineWidth = 3;
  context.strokeStyle = inks.ink;
  context.stroke(pathLine);
  if (isSmall) drawSquares(context, scene, visiblePlaces, x, y);
  for (const place of isSmall ? [] : visiblePlaces) {
    if (place === 0) continue;
    const [dotX, dotY] = [x(layout.row[place]!), y(layout.lane[place]!)];
    const flags = tree.flags[place - 1]!;
    drawDot(
      context,
      dotX,
      dotY,
      colours[tree.author[place - 1]!] ?? inks.soft,
      (flags & TREE_FLAGS.onPath) !== 0,
      inks,
    );
    if (flags & TREE_FLAGS.unread) drawRing(context, dotX, dotY, 8.5, inks.line);
    if (place === selected) drawRing(context, dotX, dotY, 11, inks.ink);
    else if (place === hovered) drawRing(context, dotX, dotY, 10, inks.soft);
    if (hasLabels) drawLabel(context, scene, place, dotX, dotY);
  }
}

function placesInView(layout: TreeLayout, { row, lane }: TreeCamera, rows: number, lanes: number): number[] {
  const [firstRow, lastRow] = [Math.floor(row - rows / 2) - 1, Math.ceil(row + rows / 2) + 1];
  const [firstLane, lastLane] = [Math.floor(lane - lanes / 2) - 1, Math.ceil(lane + lanes / 2) + 1];
  const places: number[] = [];
  for (let at = Math.max(0, firstRow); at <= Math.min(layout.depth, lastRow); at++) {
    for (const place of placesInRow(layout, at, firstLane, lastLane)) places.push(place);
  }
  return places;
}

function drawSquares(
  context: CanvasRenderingContext2D,
  { tree, layout, colours, inks }: TreeScene,
  visiblePlaces: readonly number[],
  x: (row: number) => number,
  y: (lane: number) => number,
): void {
  const shapes = colours.map(() => new Path2D());
  for (const place of visiblePlaces) {
    if (place === 0) continue;
    const size = isOnPath(tree, place) ? 6 : 4;
    const [left, top] = [x(layout.row[place]!) - size / 2, y(layout.lane[place]!) - size / 2];
    shapes[tree.author[place - 1]!]?.rect(left, top, size, size);
  }
  shapes.forEach((shape, author) => {
    context.fillStyle = colours[author] ?? inks.soft;
    context.fill(shape);
  });
}

/** A filled dot is on the path, a ring is not. */
function drawDot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  colour: string,
  isPath: boolean,
  { paper }: TreeInks,
): void {
  context.beginPath();
  context.arc(x, y, isPath ? 7 : 5, 0, 7);
  context.fillStyle = isPath ? colour : paper;
  context.fill();
  if (isPath) return;
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.stroke();
}

function drawLabel(context: CanvasRenderingContext2D, scene: TreeScene, place: number, x: number, y: number): void {
  const { tree, inks } = scene;
  const isPath = isOnPath(tree, place);
  const text = labelOf(tree, place);
  context.font = isPath ? `600 13px ${inks.serif}` : `12px ${inks.serif}`;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = inks.paper;
  context.fillStyle = isPath ? inks.ink : inks.soft;
  // The path leaves to the right: where it rises, the free side is the left.
  const isToTheLeft = isPath && isRising(scene, place);
  context.textAlign = isToTheLeft ? 'right' : 'left';
  const [edge, middle] = isPath ? [isToTheLeft ? x + 6 : x, y - 17] : [x + 10, y];
  context.strokeText(text, edge, middle);
  context.fillText(text, edge, middle);
  context.textAlign = 'left';
}

/** Whether the path goes on above this place. */
function isRising({ tree, layout }: TreeScene, place: number): boolean {
  const next = tree.path[tree.path.indexOf(place) + 1];
  return next !== undefined && layout.lane[next]! < layout.lane[place]!;
}

function labelOf(tree: TreeView, place: number): string {
  const text = (tree.preview[place - 1] ?? '').trim().replaceAll('\n', ' ');
  if (text.length <= LABEL_LENGTH) return escapeBidi(text);
  const end = text.lastIndexOf(' ', LABEL_LENGTH);
  return escapeBidi(text.slice(0, end > 8 ? end : LABEL_LENGTH).toWellFormed());
}

function labelWidth(context: CanvasRenderingContext2D, { tree, widths }: TreeScene, place: number): number {
  const known = widths.get(place);
  if (known !== undefined) return known;
  const { width } = context.measureText(labelOf(tree, place));
  widths.set(place, width);
  return width;
}

export interface MapSize {
  readonly width: number;
  readonly height: number;
  readonly viewWidth: number;
  readonly viewHeight: number;
}

/** The whole tree in a small field, with what the screen shows framed. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: TreeScene,
  camera: TreeCamera,
  { width, height, viewWidth, viewHeight }: MapSize,
): void {
  context.clearRect(0, 0, width, height);
  const [perLane, perRow] = [height / (scene.layout.lanes + 1), width / (scene.layout.depth + 2)];
  if (scene.layout.count > MAX_OVERVIEW_LINES) context.drawImage(scene.picture.image, 0, 0, width, height);
  else drawLines(context, scene, perRow, perLane);
  const [lanes, rows] = [viewHeight / (LANE_HEIGHT * camera.zoom), viewWidth / (STEP_WIDTH * camera.zoom)];
  const clamp = (value: number, max: number) => Math.min(max - 0.5, Math.max(0.5, value));
  const left = clamp((camera.row + 0.5 - rows / 2) * perRow, width);
  const right = clamp((camera.row + 0.5 + rows / 2) * perRow, width);
  const top = clamp((camera.lane + 0.5 - lanes / 2) * perLane, height);
  const bottom = clamp((camera.lane + 0.5 + lanes / 2) * perLane, height);
  context.strokeStyle = scene.inks.ink;
  context.lineWidth = 1;
  context.strokeRect(left, top, Math.max(3, right - left), Math.max(3, bottom - top));
}

/** Few enough nodes for a line to each. */
function drawLines(
  context: CanvasRenderingContext2D,
  { tree, layout, inks }: TreeScene,
  perRow: number,
  perLane: number,
): void {
  const [edges, pathLine] = [new Path2D(), new Path2D()];
  for (let place = 1; place < layout.row.length; place++) {
    const from = layout.parent[place]!;
    if (layout.row[place]! < 0 || from <= 0 || layout.row[from]! < 0) continue;
    const line = isOnPath(tree, place) && isOnPath(tree, from) ? pathLine : edges;
    line.moveTo((layout.row[from]! + 0.5) * perRow, (layout.lane[from]! + 0.5) * perLane);
    line.lineTo((layout.row[place]! + 0.5) * perRow, (layout.lane[place]! + 0.5) * perLane);
  }
  context.lineWidth = 1;
  context.strokeStyle = inks.line;
  context.stroke(edges);
  context.lineWidth = 2;
  context.strokeStyle = inks.ink;
  context.stroke(pathLine);
}

function isOnPath(tree: TreeView, place: number): boolean {
  return (tree.flags[place - 1]! & TREE_FLAGS.onPath) !== 0;
}

function drawRing(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.stroke();
}

/** Converts a colour such as rgb(29, 28, 26) to a pixel in the byte order of ImageData. */
function pixelOf(colour: string, alpha: number): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
