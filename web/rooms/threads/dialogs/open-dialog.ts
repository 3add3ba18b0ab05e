/** The dialog that is open over a thread. */
export type ThreadDialog =
  | { readonly kind: 'invite' | 'side' | 'close-side' | 'catch-up' }
  /** `about`: the participant whose instructions are wanted. */
  | { readonly kind: 'settings'; readonly about?: string }
  | { readonly kind: 'person'; readonly id: string };
