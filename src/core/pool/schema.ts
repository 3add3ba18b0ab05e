// The page uses the files beside this one, and must not load zod: they import only types from here.
import { z } from 'zod';
import { listOf, natural, positive } from '../util/schemas.ts';

const cluster = positive.nullable();

export const thoughtSchema = z.object({
  id: positive,
  iter: positive,
  text: z.string(),
  author: z.string(),
  active: z.boolean(),
  cluster,
});

/** With its age in iterations. */
export const thoughtViewSchema = thoughtSchema.extend({ age: z.number().int() });
export type ThoughtView = z.infer<typeof thoughtViewSchema>;

const clusterRow = z.object({
  id: positive,
  active: natural,
  total: natural,
  first: natural.describe('The iteration of its first thought.'),
  last: natural.describe('The iteration of its last thought.'),
  label: z.string().describe('The beginning of its last thought.'),
});
export type ClusterRow = z.infer<typeof clusterRow>;

const clusterTable = z.object({
  clusters: listOf(clusterRow).describe('Those with the most active thoughts first.'),
  noise: natural.describe('Active thoughts without a cluster.'),
  waiting: natural.describe('Active thoughts that were not looked at yet.'),
});
export type ClusterTable = z.infer<typeof clusterTable>;

const timelineMoment = z.object({ iter: natural, thoughts: listOf(z.object({ id: positive, cluster })) });
export type TimelineMoment = z.infer<typeof timelineMoment>;

export const clustersSchema = clusterTable.extend({ timeline: listOf(timelineMoment) });
