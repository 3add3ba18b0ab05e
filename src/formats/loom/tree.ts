import type { Json } from '../../core/events/event.ts';
import { loomFileFormats } from '../../protocol/loom-files.ts';

/** The common tree of all formats: every importer produces it and every exporter takes it. */
export interface LoomTree {
  readonly title: string;
  /** A flat list, parents before children, siblings in order. A node without a parent follows the loom's empty root. */
  readonly nodes: readonly TreeNode[];
  /** The tip of the path that was shown last. */
  readonly active?: string;
  /** The shown version of each place with several, if it is not the latest. */
  readonly chosen?: readonly string[];
  /** Instructions that stood before the whole text. */
  readonly system?: string;
}

export interface TreeNode {
  readonly id: string;
  readonly parent?: string;
  readonly content: string;
  readonly author?: string;
  readonly kind: 'human' | 'model';
  /** ISO 8601. */
  readonly created?: string;
  /** An earlier version at the same place; it has the same parent and comes before this one. */
  readonly editedFrom?: string;
  /**
   * Every node that this one follows, if there are several: exported for other programs, and read back on import (W29).
   */
  readonly sources?: readonly string[];
  readonly model?: string;
  readonly bookmark?: { readonly label?: string };
  readonly tags?: readonly string[];
  readonly pruned?: boolean;
  readonly note?: string;
  readonly rating?: number;
  readonly logprobs?: readonly TokenLogprob[];
  /** Fields of the other program that we have no equivalent for. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** Maps each node to the first version at its place. A version comes after the one it was made from. */
export function firstVersionsOf(nodes: readonly TreeNode[]): ReadonlyMap<string, string> {
  const firstVersions = new Map<string, string>();
  for (const { id, editedFrom } of nodes) firstVersions.set(id, firstVersions.get(editedFrom ?? '') ?? id);
  return firstVersions;
}

export interface TokenLogprob {
  readonly token: string;
  /** Absent if the program stored the token without its probability. */
  readonly logprob?: number;
  readonly top?: readonly { readonly token: string; readonly logprob: number }[];
}

export const loomFormats = loomFileFormats;
export type LoomFormat = (typeof loomFormats)[number];

export interface LoomFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

export interface ImportedLoom {
  readonly tree: LoomTree;
  readonly report: LoomImportReport;
}

export interface LoomImportReport {
  readonly format: LoomFormat;
  /** Nodes of the file that are in the loom; an empty root becomes the loom's own and counts. */
  readonly nodes: number;
  readonly dropped: readonly DroppedField[];
  readonly secretsRemoved: number;
  readonly problems: readonly ImportProblem[];
}

export interface DroppedField {
  readonly field: string;
  readonly count: number;
  readonly why: string;
}

export interface ImportProblem {
  readonly what: string;
  readonly count: number;
  /** The first few places, by node id or line. */
  readonly where: readonly string[];
}
