import type { RouteResponse } from '../protocol/routes.ts';
import { createCommand, type KindCommand } from './command.ts';
import type { Http } from './http.ts';
import { poolClient } from './pool.ts';
import { createView } from './view.ts';

export type DialogueStatus = RouteResponse<'GET /api/threads/:thread/status'>;
export type DraftPage = RouteResponse<'GET /api/threads/:thread/drafts'>;
export type DraftItem = DraftPage['drafts'][number];
export type AwayDigest = RouteResponse<'GET /api/threads/:thread/away'>;
export type AcceptedPair = RouteResponse<'GET /api/threads/:thread/history'>['turns'][number];
export type IterationDetails = RouteResponse<'GET /api/threads/:thread/iterations/:iter'>;
export type IterationThought = IterationDetails['thoughts'][number];
export type ProvenanceDetails = RouteResponse<'GET /api/threads/:thread/provenance'>;

/** Calls that exist only for dialogues. */
export function dialogueClient(http: Http, thread: string) {
  const { call, download } = http;
  const view = createView(http, thread);
  return {
    ...poolClient(http, thread),
    /** The open turn, its run, and what the mind wants of the person. */
    status: view('GET /api/threads/:thread/status'),
    /** The drafts of a turn, newest first; without a turn, of the open one. */
    drafts: view('GET /api/threads/:thread/drafts'),
    /** Messages with the drafts that were accepted as their answers, newest first. */
    history: view('GET /api/threads/:thread/history'),
    /** The mind's iterations, newest first. */
    iterations: view('GET /api/threads/:thread/iterations'),
    /** One iteration: what the mind was shown, and what it wrote. */
    iteration: (iter: number) =>
      call('GET /api/threads/:thread/iterations/:iter', { params: { thread, iter: String(iter) } }),
    /** Returns drafts since the person last looked, with nearly equal ones grouped. */
    away: view('GET /api/threads/:thread/away'),
    /** Traces a passage of a draft back to the iteration that first wrote it. */
    provenance: view('GET /api/threads/:thread/provenance'),
    /** The mind's settings. */
    config: view('GET /api/threads/:thread/config'),
    /** What happened to all drafts, as JSON Lines; the response body is the file. */
    archive: (signal?: AbortSignal) => download('GET /api/threads/:thread/archive', { params: { thread }, signal }),
    /** Sends a command of dialogues, such as `message`, `run`, `accept` or `steer`. */
    command: createCommand(http, thread) as KindCommand<'dialogue'>,
  };
}
