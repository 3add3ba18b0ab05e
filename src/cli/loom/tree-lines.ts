import { oneLine } from '../output/text.ts';
import { createIdShortener } from '../threads/find.ts';

/** A tree in columns, one row per place; `parent` counts places from 1, and 0 is the root. */
export interface LoomTreeColumns {
  readonly total: number;
  readonly node: string[];
  readonly parent: number[];
  readonly author: string[];
  readonly versions: number[];
  readonly preview: string[];
  readonly length: number[];
  readonly flags: number[];
  readonly marked: { place: number; bookmark?: string | undefined; tags?: readonly string[] | undefined }[];
  readonly shares: { place: number; with: number }[];
  readonly path: number[];
}

export interface TreeLine {
  readonly trunk: string;
  readonly label: string;
  readonly text: string;
  readonly note: string;
}

export interface TreeFoldOptions {
  /** Show everything, fold nothing. */
  readonly all: boolean;
  /** Show only the part of the tree below this place. */
  readonly at: number | undefined;
  readonly maxLines: number;
}

/** Bits of a place's flags. */
export const ON_PATH = 1;
export const PRUNED = 2;
export const INTERRUPTED = 8;
const MAX_BRANCHES = 6;
const MAX_DEPTH = 30;

/**
 * The path is a trunk on the left; each side branch is folded to one line with its size. A run of nodes that do not
 * branch is one line. There is no recursion, so depth has no limit.
 */
export function treeLines(columns: LoomTreeColumns, { all, at, maxLines }: TreeFoldOptions): TreeLine[] {
  const tree = indexTree(columns);
  const trunk = at === undefined ? columns.path : [at, ...tree.trunkFrom(at)];
  const parentPlace = at === undefined ? 0 : tree.parentOf(at);
  const groups: (() => TreeLine[])[] = [];
  let place = parentPlace;
  for (let i = 0; i <= trunk.length; i++) {
    const next = trunk[i];
    const others = at !== undefined && i === 0 ? [] : tree.children(place).filter((child) => child !== next);
    if (others.length > 0) groups.push(() => tree.branches(others, all));
    if (next === undefined) break;
    const row = [next];
    while (!all && trunk[i + 1] !== undefined && tree.children(row.at(-1) as number).length === 1) {
      row.push(trunk[++i] as number);
    }
    groups.push(() => tree.trunkLines(row, tree.isOnPath(next)));
    place = row.at(-1) as number;
  }
  return takeLastLines(groups, maxLines);
}

/** Omits lines from the beginning, because people work at the end of a path. */
function takeLastLines(groups: readonly (() => TreeLine[])[], maxLines: number): TreeLine[] {
  const lineGroups: TreeLine[][] = [];
  let count = 0;
  let first = groups.length;
  while (first > 0 && count < maxLines) {
    const lines = (groups[--first] as () => TreeLine[])();
    lineGroups.push(lines);
    count += lines.length;
  }
  const lines = lineGroups.reverse().flat();
  if (first === 0) return lines;
  return [
    {
      trunk: '⋮ ',
      label: '',
      text: `${first.toLocaleString('en')} rows before this; --lines or --all shows more`,
      note: '',
    },
    ...lines,
  ];
}

function indexTree(columns: LoomTreeColumns) {
  const { total, parent, flags, path } = columns;
  const family = new Map(columns.shares.map((share) => [share.place, share.with]));
  const marks = new Map(columns.marked.map((mark) => [mark.place, mark]));
  const childLists: (number[] | undefined)[] = new Array(total + 1);
  const descendantCounts = new Int32Array(total + 1);
  for (let place = 1; place <= total; place++) {
    const parentPlace = parent[place - 1] as number;
    const list = childLists[parentPlace];
    if (list) list.push(place);
    else childLists[parentPlace] = [place];
  }
  for (let place = total; place > 0; place--) {
    const parentPlace = parent[place - 1] as number;
    descendantCounts[parentPlace] = (descendantCounts[parentPlace] as number) + (descendantCounts[place] as number) + 1;
  }
  const onPath = new Set(path);
  /** Children that several places share are shown below the place on the path. */
  const shownBelow = new Map<number, number>();
  for (const { place, with: sharedPlace } of columns.shares) if (onPath.has(place)) shownBelow.set(sharedPlace, place);
  const shortId = createIdShortener(columns.node);

  function children(place: number): readonly number[] {
    const owner = family.get(place) ?? place;
    const shownAt = shownBelow.get(owner) ?? owner;
    return shownAt === place ? (childLists[owner] ?? []) : [];
  }

  function trunkFrom(place: number): number[] {
    const row: number[] = [];
    let [next] = children(place);
    for (; next !== undefined; [next] = children(next)) row.push(next);
    return row;
  }

  function noteOf(row: readonly number[], hidden: number): string {
    const last = row.at(-1) as number;
    const mark = row.map((place) => marks.get(place)).find((each) => each !== undefined);
    const versions = columns.versions[last - 1] as number;
    return [
      row.length > 1 && `${row.length.toLocaleString('en')} in a row`,
      hidden > 0 && `${hidden.toLocaleString('en')} more below`,
      versions > 1 && `${versions} versions`,
      ((flags[last - 1] as number) & PRUNED) !== 0 && 'pruned',
      ((flags[last - 1] as number) & INTERRUPTED) !== 0 && 'interrupted',
      mark?.bookmark !== undefined && `★ ${oneLine(mark.bookmark)}`.trim(),
      mark?.tags?.map((tag) => `#${oneLine(tag)}`).join(' '),
      oneLine(columns.author[last - 1] as string),
    ]
      .filter((note) => typeof note === 'string' && note !== '')
      .join(', ');
  }

  function lineOf(trunk: string, row: readonly number[], hidden: number): TreeLine {
    const [first, last] = [row[0] as number, row.at(-1) as number];
    const text = row.length === 1 ? preview(first) : `${preview(first)} … ${preview(last)}`;
    return { trunk, label: shortId(columns.node[last - 1] as string), text, note: noteOf(row, hidden) };
  }

  function preview(place: number): string {
    const text = columns.preview[place - 1] as string;
    const more = (columns.length[place - 1] as number) > text.length ? '…' : '';
    return `${oneLine(text)}${more}` || '(blank)';
  }

  /** The branches that leave the trunk at one place. */
  function branches(places: readonly number[], all: boolean): TreeLine[] {
    const shownPlaces = all ? places : places.slice(0, MAX_BRANCHES);
    const lines: TreeLine[] = [];
    const stack = shownPlaces.map((place) => ({ place, depth: 0 })).reverse();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { place, depth } = next;
      const row = [place];
      const onlyChild = () =>
        children(row.at(-1) as number).length === 1 ? children(row.at(-1) as number)[0] : undefined;
      for (let child = onlyChild(); child !== undefined && !all; child = onlyChild()) row.push(child);
      const last = row.at(-1) as number;
      const childPlaces = children(last);
      const hidden =
        all && depth < MAX_DEPTH
          ? 0
          : childPlaces.length === 0
            ? 0
            : (descendantCounts[family.get(last) ?? last] as number);
      lines.push(lineOf(`├─${'──'.repeat(depth)}○ `, row, hidden));
      if (all && depth < MAX_DEPTH) {
        for (const child of childPlaces.toReversed()) stack.push({ place: child, depth: depth + 1 });
      }
    }
    const hiddenBranches = places.length - shownPlaces.length;
    if (hiddenBranches > 0) {
      const hidden = places
        .slice(shownPlaces.length)
        .reduce((sum, place) => sum + (descendantCounts[place] as number) + 1, 0);
      const text = `${hiddenBranches.toLocaleString('en')} more branches with ${hidden.toLocaleString('en')} nodes`;
      lines.push({ trunk: '├─⋮ ', label: '', text, note: '' });
    }
    return lines;
  }

  return {
    children,
    trunkFrom,
    branches,
    parentOf: (place: number) => parent[place - 1] as number,
    isOnPath: (place: number) => ((flags[place - 1] as number) & ON_PATH) !== 0,
    trunkLines: (row: readonly number[], isFilled: boolean) => [lineOf(isFilled ? '● ' : '○ ', row, 0)],
  };
}
