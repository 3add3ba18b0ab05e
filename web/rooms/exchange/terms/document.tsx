import { useEffect, useState } from 'react';
import { sentenceFor } from '../../../data/session.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { go } from '../../../shell/address.ts';
import { Refused } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import type { Live } from '../live-exchange.ts';
import { pathIn } from '../places.ts';
import type { Powers, Status, TermsRead, Version } from '../queries.ts';
import { effectOf } from '../timeline/entry.tsx';
import { Amend } from './amend-form.tsx';
import { TermsDifference } from './diff.tsx';
import { SETTINGS, TERM_WORDS, TEXTS, termNames, termValue } from './labels.ts';

interface TermsDocumentProps {
  readonly live: Live;
  readonly status: Status;
  /** The version the address points at; without one, what holds now. */
  readonly version: number | undefined;
}

/** The terms as a document with its history: what holds, what is announced, what was, and who may do what. */
export function TermsDocument({ live, status, version }: TermsDocumentProps) {
  const terms = useStore(live.terms);
  const [isAmending, setAmending] = useState(false);
  const mayAmend = !status.control && !status.halted;
  useActions('The terms', [
    { name: 'Amend them', keys: ['e'], act: () => setAmending(true), when: mayAmend },
    { name: 'Leave them', keys: ['Escape'], act: () => go(`/exchange/${encodeURIComponent(live.id)}`) },
  ]);
  if (!terms) return null;
  const shown = terms.versions.find((each) => each.version === version) ?? terms.now;
  const newest = terms.versions[0] ?? terms.now;
  return (
    <article className="terms" aria-label="Terms" data-place={pathIn(live.id, `terms.${shown.version}`)}>
      <header className="terms-head">
        <h2>Terms</h2>
        <p className="choices">
          {mayAmend && !isAmending && (
            <button type="button" className="act strong" title="e" onClick={() => setAmending(true)}>
              Amend
            </button>
          )}
          <a className="act" href={`/exchange/${encodeURIComponent(live.id)}`} data-in-page title="Esc">
            Back to the rounds
          </a>
        </p>
      </header>
      <p className="soft">{standing(terms, status)}</p>
      {isAmending ? (
        <Amend
          key={newest.version}
          live={live}
          status={status}
          terms={newest.terms}
          onClose={() => setAmending(false)}
        />
      ) : (
        <Document version={shown} isNow={shown.version === terms.now.version} />
      )}
      <History live={live} terms={terms} shown={shown} />
      <WhoMay live={live} />
    </article>
  );
}

function standing({ now, announced, versions }: TermsRead, { round }: Status): string {
  const holds = `Version ${now.version} holds now, in round ${round + 1}.`;
  const coming = versions
    .filter(({ version }) => announced.includes(version))
    .map(({ version, effective }) => `Version ${version} is announced and holds from round ${effective} on.`);
  return [holds, ...coming.reverse()].join(' ');
}

function Document({ version, isNow }: { readonly version: Version; readonly isNow: boolean }) {
  const { terms, hashes } = version;
  return (
    <>
      {!isNow && <h3>Version {version.version}</h3>}
      {TEXTS.map((name) => (
        <section key={name} aria-label={TERM_WORDS[name]}>
          <h3>
            {TERM_WORDS[name]} {name !== 'question' && <code title={hashes[name]}>{hashes[name].slice(0, 8)}</code>}
          </h3>
          <p className="term-text" dir="auto">
            {visible(terms[name])}
          </p>
        </section>
      ))}
      <section aria-label="Settings">
        <h3>
          Settings <code title={hashes.terms}>{hashes.terms.slice(0, 8)}</code>
        </h3>
        <dl className="term-list">
          {SETTINGS.map((name) => (
            <div key={name}>
              <dt>{TERM_WORDS[name]}</dt>
              <dd>{visible(termValue(terms, name))}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** Every version there was; the one that is looked at with what it changed, against any other. */
function History({ live, terms, shown }: { readonly live: Live; readonly terms: TermsRead; readonly shown: Version }) {
  const [against, setAgainst] = useState<number>();
  const { versions } = terms;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is compared with the one before it again
  useEffect(() => setAgainst(undefined), [shown.version]);
  if (versions.length < 2) return null;
  const usual = shown.version > 1 ? shown.version - 1 : 2;
  const other = versions.find(({ version }) => version === (against ?? usual));
  return (
    <section className="history" aria-label="Versions">
      <h2>Versions</h2>
      <ol>
        {versions.map((each) => (
          <li key={each.version}>
            <a
              href={pathIn(live.id, `terms.${each.version}`)}
              data-in-page
              aria-current={each.version === shown.version ? 'true' : undefined}
            >
              Version {each.version}
            </a>{' '}
            <span className="soft">
              {each.by}, <Time ts={each.ts} />; {effectOf(each)}
              {each.version > 1 && `; ${termNames(each.changed)}`}
              {each.reason && (
                <>
                  . <q dir="auto">{visible(each.reason)}</q>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {other && (
        <section aria-label="Difference of versions">
          <h2>
            <label>
              What version {shown.version} changed against{' '}
              <select
                aria-label="Compare with version"
                value={other.version}
                onChange={(event) => setAgainst(Number(event.target.value))}
              >
                {versions
                  .filter(({ version }) => version !== shown.version)
                  .map(({ version }) => (
                    <option key={version} value={version}>
                      version {version}
                    </option>
                  ))}
              </select>
            </label>
          </h2>
          <TermsDifference before={other.terms} after={shown.terms} />
        </section>
      )}
    </section>
  );
}

const ROLES = { observer: 'Observer', auditor: 'Auditor', pool: 'Pool' } as const;

/** Who may do what, and under which rule (X5). */
function WhoMay({ live }: { readonly live: Live }) {
  const version = useStore(live.terms)?.now.version;
  const [powers, setPowers] = useState<Powers>();
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other terms may name other minds
  useEffect(() => {
    live.reads.powers().then(
      ({ roles }) => setPowers(roles),
      (error) => setProblem(sentenceFor(error)),
    );
  }, [live, version]);
  return (
    <section className="powers" aria-label="Who may do what">
      <h2>Who may do what</h2>
      <Refused because={problem} />
      {powers?.map(({ role, actors, powers: may, limit }) => (
        <section key={role} aria-label={ROLES[role]}>
          <h3>
            {ROLES[role]} <span className="soft">{actors.join(', ')}</span>
          </h3>
          <ul>
            {may.map(({ power, rule }) => (
              <li key={power}>
                {power} <span className="soft">{rule}</span>
              </li>
            ))}
            <li className="soft">{limit}</li>
          </ul>
        </section>
      ))}
    </section>
  );
}
