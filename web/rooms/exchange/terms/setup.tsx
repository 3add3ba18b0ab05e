import type { TermValues } from '../../../../src/client/index.ts';
import type { Json } from '../../../../src/core/events/event.ts';
import { DEFAULT_TERMS } from '../../../../src/core/exchange/terms/defaults.ts';
import { readTermsForm } from './draft.ts';
import { TermsFields } from './fields.tsx';

export type ExchangeSetupResult = { readonly setup: Record<string, Json> } | { readonly problem: string };

const BASE_TERMS = DEFAULT_TERMS as TermValues;

/** The initial terms, in the dialog that creates an exchange (X21). */
export function ExchangeSetup() {
  return <TermsFields terms={BASE_TERMS} before={BASE_TERMS} />;
}

/** Only terms that differ from the defaults are sent; none while the fields are still loading. */
export function readSetupForm(form: FormData): ExchangeSetupResult {
  if (!form.has('audit_every')) return { setup: {} };
  const draft = readTermsForm(form, BASE_TERMS);
  return 'problem' in draft ? draft : { setup: draft.set as Record<string, Json> };
}
