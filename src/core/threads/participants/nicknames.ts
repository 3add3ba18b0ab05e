import type { Context } from '../../decider.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { RESERVED_IDS } from '../fixed-names.ts';
import type { ThreadState } from '../state.ts';

/** Line breaks, direction marks, and other characters that have no width or show nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Characters that join several symbols to one emoji, or give one its colours. */
const EMOJI_JOINERS = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)/gu;

/**
 * A nickname tells others who speaks: an agent may not take someone else's, or one that displays as something else
 * (T22).
 */
export function checkNickname(
  { id: thread, participants }: ThreadState,
  participant: string,
  nickname: string | undefined,
  { credentialKind }: Context,
): Refusal | undefined {
  if (nickname === undefined) return undefined;
  const refuseNickname = (why: string) =>
    refuse('forbidden', `${why} Choose another nickname.`, { thread, participant });
  const name = foldName(nickname);
  if (hasInvisible(nickname))
    return refuseNickname(
      `A nickname must be one line without control or invisible characters; "${name}" contains some.`,
    );
  if (RESERVED_IDS.includes(name)) return refuseNickname(`"${name}" is a name of the workspace itself.`);
  const other = Object.entries(participants).find(
    ([id, { profile }]) => id !== participant && [id, profile.nickname ?? id].some((each) => foldName(each) === name),
  )?.[0];
  const isTaken = other !== undefined || (name !== participant && credentialKind(name) === 'human');
  return isTaken ? refuseNickname(`"${name}" is already the name of ${other ?? name}.`) : undefined;
}

/** Whether a name has characters that others could not see, besides those that join an emoji. */
export function hasInvisible(name: string): boolean {
  return name.replace(EMOJI_JOINERS, '').search(INVISIBLE) >= 0;
}

/** The form for comparisons: without case, letter variants, invisible characters, and spaces that a page draws as one. */
export function foldName(name: string): string {
  return name.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim().toLowerCase();
}
