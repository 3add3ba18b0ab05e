import type { Json } from '../../../../src/core/events/event.ts';
import { DEFAULTS } from '../../../../src/core/exchange/terms/defaults.ts';
import type { Terms } from '../queries.ts';
import { draftOf } from './draft.ts';
import { TermsFields } from './fields.tsx';
import './terms.css';

export type Setup = { readonly setup: Record<string, Json> } | { readonly problem: string };

const USUAL = DEFAULTS as Terms;

/** What an exchange begins with, in the dialog that creates it (X21). */
export function ExchangeSetup() {
  return (
    <div className="terms-form">
      <TermsFields terms={USUAL} before={USUAL} />
    </div>
  );
}

/** Only what differs from the usual terms is sent; nothing while the fields are still on their way. */
export function setupIn(form: FormData): Setup {
  if (!form.has('audit_every')) return { setup: {} };
  const draft = draftOf(form, USUAL);
  return 'problem' in draft ? draft : { setup: draft.set as Record<string, Json> };
}
