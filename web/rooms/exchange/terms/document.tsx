import { Pencil, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ExchangeStatus, PowersByRole, TermsHistory, TermsVersionItem } from '../../../../src/client/index.ts';
import { describeError } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { navigate } from '../../../shell/address.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Time } from '../../../ui/time.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { exchangePath } from '../places.ts';
import { AmendForm } from './amend-form.tsx';
import { TermsDifference } from './diff.tsx';
import { describeEffect, formatTerm, formatTermNames, SETTING_FIELDS, TERM_LABELS, TEXT_FIELDS } from './labels.ts';
import styles from './terms.module.css';

interface TermsDocumentProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  /** The version that the URL points to; without one, the terms in effect now. */
  readonly version: number | undefined;
}

/** The terms as a document with its history: in effect, announced, past, and the powers of each role. */
export function TermsDocument({ exchange, status, version }: TermsDocumentProps) {
  const terms = useStore(exchange.terms);
  const [isAmending, setAmending] = useState(false);
  const close = () => navigate(`/exchange/${encodeURIComponent(exchange.id)}`);
  const canAmend = !status.control && !status.halted;
  useActions('The terms', [
    { name: 'Amend the terms', keys: ['e'], act: () => setAmending(true), when: canAmend },
    { name: 'Close the terms', keys: ['Escape'], act: close },
  ]);
  if (!terms) return null;
  const shown = terms.versions.find((each) => each.version === version) ?? terms.now;
  const newest = terms.versions[0] ?? terms.now;
  return (
    <article
      className={styles.terms}
      aria-label="Terms"
      data-place={exchangePath(exchange.id, `terms.${shown.version}`)}
    >
      <header className={styles.head}>
        <h2>Terms</h2>
        {canAmend && !isAmending && (
          <Button kind="primary" icon={Pencil} shortcut="e" onClick={() => setAmending(true)}>
            Amend
          </Button>
        )}
        <Button kind="quiet" icon={X} shortcut="Esc" onClick={close}>
          Back to the rounds
        </Button>
      </header>
      <p className={styles.standing}>{describeStanding(terms, status)}</p>
      {isAmending ? (
        <AmendForm
          key={newest.version}
          exchange={exchange}
          status={status}
          terms={newest.terms}
          onClose={() => setAmending(false)}
        />
      ) : (
        <TermsVersionView version={shown} isCurrent={shown.version === terms.now.version} />
      )}
      <TermsVersions exchange={exchange} terms={terms} shown={shown} />
      <PowersSection exchange={exchange} />
    </article>
  );
}

function describeStanding({ now, announced, versions }: TermsHistory, { round }: ExchangeStatus): string {
  const currentText = `Version ${now.version} is in effect now, in round ${round + 1}.`;
  const upcoming = versions
    .filter(({ version }) => announced.includes(version))
    .map(({ version, effective }) => `Version ${version} is announced and takes effect in round ${effective}.`);
  return [currentText, ...upcoming.reverse()].join(' ');
}

function TermsVersionView({ version, isCurrent }: { readonly version: TermsVersionItem; readonly isCurrent: boolean }) {
  const { terms, hashes } = version;
  return (
    <>
      {!isCurrent && <h3>Version {version.version}</h3>}
      {TEXT_FIELDS.map((name) => (
        <section key={name} aria-label={TERM_LABELS[name]}>
          <h3>
            {TERM_LABELS[name]} {name !== 'question' && <code title={hashes[name]}>{hashes[name].slice(0, 8)}</code>}
          </h3>
          <p className={styles.text} dir="auto">
            {escapeBidi(terms[name])}
          </p>
        </section>
      ))}
      <section aria-label="Settings">
        <h3>
          Settings <code title={hashes.terms}>{hashes.terms.slice(0, 8)}</code>
        </h3>
        <dl className={styles.list}>
          {SETTING_FIELDS.map((name) => (
            <div key={name}>
              <dt>{TERM_LABELS[name]}</dt>
              <dd>{escapeBidi(formatTerm(terms, name))}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** All versions; the selected one with its changes, compared with any other. */
function TermsVersions({
  exchange,
  terms,
  shown,
}: {
  readonly exchange: LiveExchange;
  readonly terms: TermsHistory;
  readonly shown: TermsVersionItem;
}) {
  const [against, setAgainst] = useState<number>();
  const { versions } = terms;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is compared with the one before it again
  useEffect(() => setAgainst(undefined), [shown.version]);
  if (versions.length < 2) return null;
  const defaultVersion = shown.version > 1 ? shown.version - 1 : 2;
  const other = versions.find(({ version }) => version === (against ?? defaultVersion));
  return (
    <section className={styles.history} aria-label="Versions">
      <h2>Versions</h2>
      <ol>
        {versions.map((each) => (
          <li key={each.version}>
            <a
              href={exchangePath(exchange.id, `terms.${each.version}`)}
              data-in-page
              aria-current={each.version === shown.version ? 'true' : undefined}
            >
              Version {each.version}
            </a>{' '}
            <span className={styles.about}>
              <Name id={each.by} />, <Time ts={each.ts} />, {describeEffect(each)}
              {each.version > 1 && `: ${formatTermNames(each.changed)}`}
              {each.reason && (
                <>
                  . <q dir="auto">{escapeBidi(each.reason)}</q>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {other && (
        <section aria-label="Difference of versions">
          <div className={styles.against}>
            <Select
              label={`Changes in version ${shown.version}, compared with`}
              value={String(other.version)}
              options={versions
                .filter(({ version }) => version !== shown.version)
                .map(({ version }) => ({ value: String(version), label: `Version ${version}` }))}
              onChange={(version) => setAgainst(Number(version))}
            />
          </div>
          <TermsDifference before={other.terms} after={shown.terms} />
        </section>
      )}
    </section>
  );
}

const ROLE_LABELS = { observer: 'Observer', auditor: 'Auditor', pool: 'Pool' } as const;

/** The powers of each role, with the rule behind each (X5). */
function PowersSection({ exchange }: { readonly exchange: LiveExchange }) {
  const version = useStore(exchange.terms)?.now.version;
  const [powers, setPowers] = useState<PowersByRole>();
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other terms may name other minds
  useEffect(() => {
    exchange.queries.powers().then(
      ({ roles }) => setPowers(roles),
      (error) => setProblem(describeError(error)),
    );
  }, [exchange, version]);
  return (
    <section className={styles.powers} aria-label="Who may do what">
      <h2>Who may do what</h2>
      <RefusalMessage reason={problem} />
      {powers?.map(({ role, actors, powers: rolePowers, limit }) => (
        <section key={role} aria-label={ROLE_LABELS[role]}>
          <h3>
            {ROLE_LABELS[role]} <span className={styles.about}>{escapeBidi(actors.join(', '))}</span>
          </h3>
          <ul>
            {rolePowers.map(({ power, rule }) => (
              <li key={power}>
                {power} <span className={styles.about}>{rule}</span>
              </li>
            ))}
            <li className={styles.about}>{limit}</li>
          </ul>
        </section>
      ))}
    </section>
  );
}
