import type { Json } from '../../../../src/core/events/event.ts';
import { DEFAULT_TERMS } from '../../../../src/core/exchange/terms/defaults.ts';
import type { TermValues } from '../queries.ts';
import { readTermsForm } from './draft.ts';
import { TermsFields } from './fields.tsx';
import './terms.css';

export type ExchangeSetupResult = { readonly setup: Record<string, Json> } | { readonly problem: string };

const BASE_TERMS = DEFAULT_TERMS as TermValues;

/** What an exchange begins with, in the dialog that creates it (X21). */
export function ExchangeSetup() {
  return (
    <div className="terms-form">
      <TermsFields terms={BASE_TERMS} before={BASE_TERMS} />
    </div>
  );
}

/** Only what differs from the usual terms is sent; nothing while the fields are still on their way. */
export function readSetupForm(form: FormData): ExchangeSetupResult {
  if (!form.has('audit_every')) return { setup: {} };
  const draft = readTermsForm(form, BASE_TERMS);
  return 'problem' in draft ? draft : { setup: draft.set as Record<string, Json> };
}
